import { expect, test } from 'vitest';
import { pointsOfSeries } from '../explain/hit-model-point.ts';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { comparableSweep } from '../compare/sweep.ts';
import { delayText } from './gap-outcomes.ts';
import { readsOf } from './reads.ts';
import { recompressed } from './recompressed.ts';
import type { SweepRun } from './run.ts';
import { summarize } from './summary.ts';

const names = ['one', 'two'];
const made = madeUpRun(
  6,
  names.map((name) => ({ name, slowerBy: 0 })),
);

/** The disk of `two` takes 1.7 times as long as requested, at every check. */
const run: SweepRun = {
  ...made.run,
  plan: { ...made.run.plan, crossed: true },
  proofs: made.run.proofs.flatMap((proof) =>
    names.map((variant) => {
      const isOff = variant === 'two' && proof.requestedDelayMs >= 2;
      const p50Ms = (isOff ? 1.7 : 1) * proof.requestedDelayMs;
      return Object.assign({}, proof, { variant, p50Ms, off: isOff });
    }),
  ),
};
const { points, fits } = summarize(run, made.samples);

test('a point is off when most checks of one of its disks are, and shows the delay of that disk', () => {
  const at10 = points.find(({ requestedDelayMs }) => requestedDelayMs === 10);
  expect(at10).toMatchObject({
    delayOff: true,
    measuredDelayMs: { p50: 17 },
    disks: [
      { variant: 'one', p50: 10 },
      { variant: 'two', p50: 17 },
    ],
  });
  expect(points.filter(({ delayOff }) => !delayOff).map((each) => each.requestedDelayMs)).toEqual([
    0, 0, 1,
  ]);
});

test('each series is fitted to the delays of its own disk', () => {
  const slopeOf = (name: string) =>
    fits.find(({ arm, variant }) => arm === 'br' && variant === name)?.slopeMsPerMs ?? Number.NaN;
  // Both disks give the same times, so the slope over the longer delays is lower by the same factor.
  expect(slopeOf('one') / slopeOf('two')).toBeCloseTo(1.7, 0);
  const modelled = pointsOfSeries(run, points, readsOf(made.samples));
  const last = modelled.map(({ points: own }) => own.at(-1));
  expect(last.map((each) => each?.delayMs)).toEqual([10, 10, 17, 17]);
  // The resamples too: every check of a disk gave the same delay.
  expect(last.map((each) => new Set(each?.drawnDelayMs))).toEqual(
    [10, 10, 17, 17].map((delayMs) => new Set([delayMs])),
  );
});

test('a gap names the measured delays of its own disks', () => {
  const point = points.at(-1);
  if (!point) throw new Error('a made-up run has points');
  const text = (of: string, against: string) =>
    delayText(point, {
      of: { arm: 'br', variant: of },
      against: { arm: 'br', variant: against },
    });
  expect(text('one', 'one')).toBe('10 ms of read delay (measured 10 ms)');
  expect(text('two', 'one')).toBe('10 ms of read delay (measured 17 ms and 10 ms)');
});

test('a comparison of two runs takes the recompressed reads with the delay of their own disk', () => {
  const { run: two, samples } = madeUpRun(6, [], true);
  const slower = two.proofs.map((proof) =>
    Object.assign({}, proof, { variant: recompressed.name, p50Ms: 1.7 * proof.p50Ms }),
  );
  const document = { run: { ...two, proofs: [...two.proofs, ...slower] }, samples };
  const groups = comparableSweep.groupsOf(document, comparableSweep.metrics[0]!);
  const at10 = groups.filter(({ factors }) => factors['delay'] === '10 ms');
  expect(at10.map(({ measuredDelayMs }) => measuredDelayMs)).toEqual([
    10.42,
    10.42,
    expect.closeTo(17.714, 9),
  ]);
});
