import { join } from 'node:path';
import { expect, describe, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, lastTaken } from '../command-under-test.ts';

const words = 'sweep 4 4 1 --samples 8 --launches 1 --arms br --workload synthetic:100KiB';
const plan = [...words.split(' '), '--storage', 'nbd-live', '--env', 'skip', '--state'];

describe.skipIf(lacking)('the state of the page cache before a read', () => {
  const deviceReads = new Map<string, number>();

  test.each(['cold', 'file-cold', 'warm'])(
    '%s: where the page cache can be seen, the state of every unflagged read is proved',
    async (state) => {
      const out = join(base, state);
      const ended = await cachescope(...plan, state, '--out', out);
      expect([0, 4], ended.stderr).toContain(ended.code);
      const { run, samples } = await readRunOf('sweep', out);
      expect(run.plan.state ?? 'cold').toBe(state);
      const slow = lastTaken(samples).filter(
        ({ kind, cell }) => kind === 'timed' && cell.storage !== 'none',
      );
      expect(slow).toHaveLength(8);
      for (const { residency, flags } of slow) {
        if (residency) expect(residency.pages).toBeGreaterThan(25);
        // Another test may drop the page cache at any moment: the file is then in the wrong state, and the sample is
        // flagged.
        const isWarm = residency?.residentPages === residency?.pages;
        const isRight = state === 'warm' ? isWarm : (residency?.residentPages ?? 0) === 0;
        expect(flags.includes('page-cache-state')).toBe(!isRight);
        expect(residency === undefined).toBe(state === 'cold');
      }
      const counts = slow.filter(({ flags }) => flags.length === 0);
      expect(counts.length).toBeGreaterThan(0);
      // A drop between the proof and the read causes more device reads, never fewer.
      deviceReads.set(state, Math.min(...counts.map(({ device }) => device?.reads ?? Infinity)));
      expectNothingLeft();
    },
  );

  test('file-cold has no metadata reads, and warm has no reads at all', () => {
    expect(deviceReads.get('warm')).toBe(0);
    expect(deviceReads.get('file-cold')).toBeGreaterThan(0);
    expect(deviceReads.get('cold')).toBeGreaterThan(deviceReads.get('file-cold') ?? Infinity);
  });
});
