import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { expect, test } from 'vitest';
import { hitEvents, traceText } from '../../harness/trace/trace-fixture.ts';
import { base, cachescope } from '../command-under-test.ts';

/** The engine of DevTools' Performance panel, as Lighthouse uses it. 17 MB, needed by this test alone. */
const engine = '@paulirish/trace_engine@0.0.65';
const npm = spawnSync('npm', ['install', '--prefix', base, '--ignore-scripts', engine], {
  encoding: 'utf8',
});
if (npm.status !== 0) console.warn(`DevTools' trace engine is not tested: ${npm.stderr}`);

interface Slice {
  pid: number;
  args: { placeInChain: number };
}

interface Engine {
  data: {
    Flows: { flows: Slice[][] };
    Meta: { threadsInProcess: Map<number, Map<number, { args: { name: string } }>> };
  };
  parse(events: object[], options: object): Promise<void>;
}

test.skipIf(npm.status !== 0)(
  'DevTools reads the trace, and every chain of serial reads in order',
  async () => {
    const run = join(base, 'run');
    mkdirSync(join(run, 'traces'), { recursive: true });
    writeFileSync(join(run, 'traces/0.json.gz'), gzipSync(traceText(hitEvents)));
    const whole = madeUpRun(1);
    writeFileSync(join(run, 'run.json'), JSON.stringify(whole.run));
    writeFileSync(join(run, 'samples.ndjson'), JSON.stringify(whole.samples[0]));
    const traced = [
      madeUpTraced('br', 5, 3, { beginUs: 1000, traceFile: '0.json.gz' }),
      madeUpTraced('dcb', 5, 9, { beginUs: 70_000 }),
    ];
    const lines = traced.map((read) => `${JSON.stringify(read)}\n`).join('');
    writeFileSync(join(run, 'traced.ndjson'), lines);
    const file = join(base, 'trace.json');
    const { code, stderr } = await cachescope('report', run, '--perfetto', file);
    expect(code, stderr).toBe(0);

    // The engine runs in a page; Node lacks the only DOM class that it needs.
    Object.assign(globalThis, { DOMRect: Object });
    const path = join(base, 'node_modules/@paulirish/trace_engine/models/trace/trace.js');
    const { Processor } = (await import(pathToFileURL(path).href)) as {
      Processor: { TraceProcessor: { createWithAllHandlers(): Engine } };
    };
    const processor = Processor.TraceProcessor.createWithAllHandlers();
    const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { traceEvents: object[] };
    await processor.parse(traceEvents, {});
    const chains = processor.data.Flows.flows.map((chain) =>
      chain.map(({ args }) => args.placeInChain),
    );
    expect(chains).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]);
    const threads = processor.data.Meta.threadsInProcess.get(5_000_001)?.values() ?? [];
    expect([...threads].map(({ args }) => args.name)).toEqual([
      'Steps of the read',
      'Device reads',
    ]);
  },
);
