import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import { base, type Ended, expectNothingLeft, lacking, start } from './command-under-test.ts';

describe.skipIf(lacking)('a sweep that is interrupted', () => {
  async function interrupted(out: string, signals: NodeJS.Signals[]): Promise<Ended> {
    const { child, ended } = start([
      'sweep',
      '1',
      '50',
      '1',
      '--storage',
      'nbd-delay',
      '--workload',
      'synthetic:100kb',
      '--env',
      'skip',
      '--out',
      out,
    ]);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', () => {
        if (readSamples(out) >= 3) resolve();
      });
      child.once('close', () => resolve());
    });
    for (const signal of signals) child.kill(signal);
    return ended;
  }

  function readSamples(out: string): number {
    const path = join(out, 'samples.ndjson');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  }

  // A terminal and npm each pass one Ctrl-C on, so two at the same moment are one wish.
  test.each([[['SIGINT']], [['SIGINT', 'SIGINT']], [['SIGTERM']]] as [NodeJS.Signals[]][])(
    '%j saves what there is and cleans up',
    async (signals) => {
      const out = join(base, `interrupted-${signals.join('-')}`);
      const ended = await interrupted(out, signals);
      expect(ended.code).toBe(130);
      const { run, samples } = await readRunOf('sweep', out);
      expect(run).toMatchObject({ status: 'partial', statusReason: 'interrupted' });
      expect(samples.length).toBeGreaterThanOrEqual(3);
      expect(ended.stderr).toContain(`npm run report -- ${out}`);
      expect(existsSync(join(out, 'report.html'))).toBe(true);
      expectNothingLeft();
    },
  );
});
