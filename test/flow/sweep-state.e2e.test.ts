import { join } from 'node:path';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { expect, describe, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

const words = 'sweep 4 4 1 --samples 3 --launches 1 --arms br --workload synthetic:100KiB';
const plan = [...words.split(' '), '--storage', 'nbd-live', '--env', 'skip', '--state'];

describe.skipIf(lacking)('the state of the page cache before a read', () => {
  const deviceReads = new Map<string, number>();

  test.each(['cold', 'file-cold', 'warm'])(
    '%s: nothing is flagged, and the state is proved',
    async (state) => {
      const out = join(base, state);
      const ended = await cachescope(...plan, state, '--out', out);
      expect(ended.code, ended.stderr).toBe(0);
      const { run, samples } = await readRunOf('sweep', out);
      expect(run.plan.state ?? 'cold').toBe(state);
      const slow = samples.filter(({ kind, cell }) => kind === 'timed' && cell.storage !== 'none');
      for (const { residency } of slow) {
        if (state === 'cold') expect(residency).toBeUndefined();
        else expect(residency?.residentPages).toBe(state === 'warm' ? residency?.pages : 0);
        if (residency) expect(residency.pages).toBeGreaterThan(25);
      }
      const counts = slow.filter(({ flags }) => flags.length === 0);
      expect(counts).toHaveLength(3);
      deviceReads.set(state, median(counts.map(({ device }) => device?.reads ?? 0)) ?? Number.NaN);
      expectNothingLeft();
    },
  );

  test('metadata reads vanish in file-cold, and all of them in warm', () => {
    expect(deviceReads.get('warm')).toBe(0);
    expect(deviceReads.get('file-cold')).toBeGreaterThan(0);
    expect(deviceReads.get('cold')).toBeGreaterThan(deviceReads.get('file-cold') ?? Infinity);
  });
});
