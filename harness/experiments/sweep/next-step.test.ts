import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import type { LaunchHistograms } from '@cachescope/model/run/cache-histograms.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { stepAfter } from './next-step.ts';

const { run, samples } = explainedSweep({ delaysMs: [5], launches: 3, samplesPerCell: 9 });
const plan: SweepPlan = {
  ...run.plan,
  stopRule: { precision: 0.5, margin: 0.05, maxTimeMs: 3_600_000 },
};
const histogramsOf = (launch: number, disagreements: string[]): LaunchHistograms =>
  ({ launch, hits: 9, contentBytes: [], disagreements }) as never;

test('reads of a launch that its histograms contradict bring the run no nearer to its end', () => {
  const launches = [...new Set(samples.map(({ launch }) => launch))];
  const stepWith = (contradicted: readonly number[]) => {
    const histograms = launches.map((launch) =>
      histogramsOf(launch, contradicted.includes(launch) ? ['one hit too many'] : []),
    );
    return stepAfter({ plan, run: { ...run, histograms }, samples }, 0);
  };
  expect(stepWith([])).toMatchObject({ action: 'stop', reason: 'precision reached' });
  expect(stepWith(launches.slice(0, 1))).toMatchObject({ action: 'take', pass: 3 });
  expect(stepWith(launches)).toMatchObject({ action: 'stop', reason: null });
});

test('a sweep that its stop rule has ended takes no more samples, except lost ones of its planned passes', () => {
  const strict = { ...plan, stopRule: { precision: 1e-9, margin: 0.05, maxTimeMs: 3_600_000 } };
  const stopped = { reason: 'comparison decided' as const, looks: [9] };
  const stepOf = (change: Partial<typeof run>, kept = samples) =>
    stepAfter({ plan: strict, run: { ...run, ...change }, samples: kept }, 0);
  expect(stepOf({ looks: [9] })).toMatchObject({ action: 'take', pass: 3 });
  const ended = { stopped, looks: [9] };
  expect(stepOf(ended)).toEqual({ action: 'stop', ...stopped });
  const cut = samples.filter(({ pass }) => pass !== 1);
  expect(stepOf(ended, cut)).toMatchObject({ action: 'take', pass: 1 });
});
