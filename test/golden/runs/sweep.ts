import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';

/** The cell of a traced read of `explain`. */
export function cellOf(arm: 'br' | 'dcb') {
  return { arm, storage: 'nbd-delay', delayMs: 5, workload: 'big' } as const;
}

const fewDelaysMs = [0, 4, 7, 10];

/** The same sweep with fewer delays. */
export function smallSweep({ run, samples }: SweepRunDocument): SweepRunDocument {
  return {
    run: {
      ...run,
      plan: { ...run.plan, delaysMs: fewDelaysMs },
      proofs: run.proofs.filter(({ requestedDelayMs }) => fewDelaysMs.includes(requestedDelayMs)),
    },
    samples: samples.filter(({ cell }) => fewDelaysMs.includes(cell.delayMs)),
  };
}

/** The reads at 4 ms once more, as if their delays came from a latency profile. */
export function withProfile({ run, samples }: SweepRunDocument): SweepRunDocument {
  const drawn = samples
    .filter(({ cell }) => cell.storage !== 'none' && cell.delayMs === 4)
    .map((sample, index) => ({
      ...sample,
      sequence: samples.length + index,
      cell: { ...sample.cell, delayMs: 0, profile: 'disk' },
    }));
  const read = { kind: 'constant', ms: 4 } as const;
  return {
    run: {
      ...run,
      plan: { ...run.plan, profile: { name: 'disk', source: 'made up', read } },
      profileReads: [{ timesMs: Array.from({ length: 100 }, () => 4.42), takenAt: run.startedAt }],
    },
    samples: [...samples, ...drawn],
  };
}

/** A run against the same run with reads that take 1.2 times as long. */
export function compared(): RunDocument {
  const before = smallSweep(madeUpRun(8));
  const after = {
    ...before,
    samples: before.samples.map((sample) => ({ ...sample, readMs: sample.readMs * 1.2 })),
  };
  const [first, second] = [before, after].map((run, at) =>
    sideOf(`results/${at}`, { run }, {}, undefined),
  );
  if (!first || !second || 'problems' in first || 'problems' in second) throw new Error('sides');
  const head = { ...before.run, commandLine: ['compare', 'results/0', 'results/1'] };
  const found = compareSides(first.value, second.value, { isOneRun: false }, head);
  if ('problems' in found) throw new Error(found.problems.join('; '));
  return found.value;
}
