import { expect, test } from 'vitest';
import { badReadOutcomes, badReadSentences } from './bad-reads.ts';
import type { Sample } from '../run/sample.ts';
import { readsOf } from './reads.ts';
import type { SweepPlan } from './run.ts';

const plan: SweepPlan = {
  arms: ['br', 'dcb'],
  delaysMs: [0],
  storage: 'nbd-delay',
  delayWrites: false,
  samplesPerCell: 4,
  launchesPerPoint: 1,
  seed: 1,
  device: { badReadRate: 0.05 },
  workload: { name: 'w', title: 'w', resourceBytes: 1, resourceSha256: 'ab', dictionaryBytes: 1 },
};

function sample(change: Partial<Sample>): Sample {
  return {
    sequence: 0,
    cell: { arm: 'br', storage: 'nbd-delay', delayMs: 0 },
    launch: 0,
    attempt: 1,
    takenAt: '2026-11-21T00:00:00Z',
    kind: 'timed',
    readMs: 5,
    timing: null,
    attribution: { source: 'disk', confidence: 'likely', reasons: [] },
    originRequests: 0,
    device: null,
    bodyBytes: 1,
    bodySha256: 'ab',
    flags: [],
    ...change,
  };
}

test('each read is counted once, by its outcome', () => {
  const samples = [
    sample({}),
    sample({ originRequests: 1, flags: ['origin-touched'] }),
    sample({ bodySha256: '', flags: ['read-failed', 'source-not-disk'] }),
    sample({ bodySha256: 'cd', flags: ['wrong-body'] }),
    sample({ kind: 'companion' }),
    sample({ cell: { arm: 'br', storage: 'none', delayMs: 0 } }),
  ];
  const [br, dcb] = badReadOutcomes(plan, readsOf(samples));
  expect(br).toEqual({
    series: { arm: 'br' },
    reads: 4,
    fromCache: 1,
    fromNetwork: 1,
    failed: 1,
    wrongBytes: 1,
  });
  expect(dcb?.reads).toBe(0);
  expect(badReadSentences(plan, readsOf(samples))[0]).toBe(
    "With bad reads (5 % of the device's), of 4 reads of Brotli 1 came complete from the cache, 1 fell back to the network, 1 failed, and 1 (!) delivered wrong bytes.",
  );
});

test('each workload has its own outcomes', () => {
  const { workload } = plan;
  const workloads = ['a', 'b'].map((name) => ({ ...workload, name }));
  const samples = [0, 1, 2].map((index) =>
    sample({
      cell: { arm: 'br', storage: 'nbd-delay', delayMs: 0, workload: index === 0 ? 'a' : 'b' },
    }),
  );
  const outcomes = badReadOutcomes({ ...plan, workloads }, readsOf(samples));
  expect(outcomes.map(({ series, reads }) => [series.workload, series.arm, reads])).toEqual([
    ['a', 'br', 1],
    ['a', 'dcb', 0],
    ['b', 'br', 2],
    ['b', 'dcb', 0],
  ]);
});

test('a run without bad reads has no sentence about them', () => {
  const { device: _, ...without } = plan;
  expect(badReadOutcomes(without, readsOf([sample({})]))).toEqual([]);
});
