import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startBusyProcesses } from '../../scripts/busy-processes.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

const busy = startBusyProcesses(4);
afterAll(busy.end);

test.skipIf(lacking)(
  'beside busy loops --env throw stops a run with exit code 3, and its results have no verdicts',
  async () => {
    const out = join(base, 'busy');
    const words =
      'sweep --workload synthetic:10KiB --arms br,gzip --storage none --samples 1000 --launches 1 --env throw --wait --out';
    const { code, stdout, stderr } = await cachescope(...words.split(' '), out);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('CS_UNTRUSTED: the run has no verdicts: poor: ');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Inconclusive: the machine was busy (');
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as object;
    expect(run).toMatchObject({
      status: 'partial',
      statusReason: expect.stringContaining('the machine was busy: '),
    });
    expectNothingLeft();
  },
);
