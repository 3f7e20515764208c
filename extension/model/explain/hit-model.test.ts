import { expect, test } from 'vitest';
import { explainedSweep, trueBaseMs, trueWaits } from '../fixtures/explain.ts';
import { madeUpShard } from '../fixtures/made-up-shard.ts';
import { heldOut } from './held-out.ts';
import { hitModel, modelledInterval } from './hit-model.ts';
import { pointsOfSeries } from './hit-model-point.ts';
import { mergedRun } from '../run/merge.ts';
import { isRunOf } from '../run/run.ts';
import { holds } from '../statistics/interval.ts';
import { createRandom } from '../statistics/random.ts';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { relativeLine } from '../statistics/weighted-line.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';

function points(delaysMs: readonly number[], msAt: (delayMs: number) => number) {
  return delaysMs.map((delayMs) => ({
    delayMs,
    requestedDelayMs: delayMs,
    medianMs: msAt(delayMs),
    lowMs: null,
    highMs: null,
    launches: 1,
    drawnMs: Float64Array.from({ length: 10 }, () => msAt(delayMs)),
    drawnDelayMs: Float64Array.from({ length: 10 }, () => delayMs),
  }));
}

test('points on a line give that line, with residuals of 0', () => {
  const model = hitModel(
    { arm: 'br' },
    points([0, 1, 5, 20], (delayMs) => 6 + 7 * delayMs),
  );
  expect(model).toMatchObject({ verdict: 'holds', why: null });
  expect(model?.baseMs).toBeCloseTo(6, 9);
  expect(model?.waits).toBeCloseTo(7, 9);
  for (const point of model?.points ?? []) expect(point.residualMs).toBeCloseTo(0, 9);
});

test('two delays are too few for a model', () => {
  expect(
    hitModel(
      { arm: 'br' },
      points([0, 5], (delayMs) => 6 + delayMs),
    ),
  ).toBeNull();
});

test('a read time that decreases with the delay fails the model', () => {
  const model = hitModel(
    { arm: 'br' },
    points([0, 5, 10], (delayMs) => 50 - delayMs),
  );
  expect(model?.verdict).toBe('fails');
});

test('a step that a line cannot fit fails, and the failing points are named', () => {
  const model = hitModel(
    { arm: 'br' },
    points([0, 1, 2, 5, 10], (delayMs) => (delayMs < 2 ? 10 : 100)),
  );
  expect(model?.verdict).toBe('fails');
  expect(model?.why).toMatch(/off by more than a tenth at .* ms predicted, .* ms measured\)/);
});

test('the fit minimises relative errors, so a short time weighs the same as a long one', () => {
  // By hand: minimise (a - 1)^2 + ((a + b - 2) / 2)^2 + ((a + 10 b - 110) / 110)^2.
  const line = relativeLine([
    [0, 1],
    [1, 2],
    [10, 110],
  ]);
  const cost = (a: number, b: number): number =>
    (a - 1) ** 2 + ((a + b - 2) / 2) ** 2 + ((a + 10 * b - 110) / 110) ** 2;
  const { intercept = 0, slope = 0 } = line ?? {};
  const least = cost(intercept, slope);
  for (const [da, db] of [
    [0.01, 0],
    [-0.01, 0],
    [0, 0.01],
    [0, -0.01],
  ] as const)
    expect(cost(intercept + da, slope + db)).toBeGreaterThan(least);
});

test('with one launch per point the variation between launches is unknown: no interval', () => {
  const noisy = points([0, 1, 5, 20], (delayMs) => 6 + 7 * delayMs + (delayMs % 2));
  const model = hitModel({ arm: 'br' }, noisy);
  expect(model).toMatchObject({ baseInterval: null, waitsInterval: null, verdict: 'holds' });
  expect(model && modelledInterval(model, 3)).toBeNull();
});

test('a prediction of quiet launches is as uncertain as the points’ distances from the line', () => {
  const bent = points([0, 1, 2, 5, 10], (delayMs) => (10 + 6 * delayMs) * (delayMs % 2 ? 1.03 : 1));
  const model = hitModel(
    { arm: 'br' },
    bent.map((point) => ({ ...point, launches: 5 })),
  );
  const [base, between] = [0, 5].map((delayMs) => model && modelledInterval(model, delayMs));
  expect(base?.low).toBeCloseTo(model?.baseInterval?.low ?? 0, 9);
  expect(base?.high).toBeCloseTo(model?.baseInterval?.high ?? 0, 9);
  // All resamples are the same line.
  expect((base?.high ?? 0) - (base?.low ?? 0)).toBeGreaterThan(0.3);
  expect((between?.high ?? 0) - (between?.low ?? 0)).toBeGreaterThan(0.3);
});

test('one point that is off by 20 % does not change the fit, and is named', () => {
  const wrong = points(
    [0, 2, 4, 6, 8, 10],
    (delayMs) => (6 + 7 * delayMs) * (delayMs === 8 ? 1.2 : 1),
  );
  const model = hitModel({ arm: 'br' }, wrong);
  expect(model?.waits).toBeCloseTo(7, 9);
  expect(model?.baseMs).toBeCloseTo(6, 9);
  expect(model?.verdict).toBe('holds');
  expect(model?.points.filter(({ isExcluded }) => isExcluded)).toMatchObject([
    { delayMs: 8, isOff: true },
  ]);
});

test('a curve that deviates from a line by a few percent has a significant curvature', () => {
  const random = createRandom(3);
  const bent = (share: number) =>
    points([0, 2, 4, 6, 8, 10], (delayMs) => 20 + 7 * delayMs + share * delayMs ** 2).map(
      (point) => ({
        ...point,
        launches: 5,
        drawnMs: Float64Array.from(
          { length: 200 },
          () => point.medianMs * (1 + 0.004 * (random() - 0.5)),
        ),
        drawnDelayMs: Float64Array.from({ length: 200 }, () => point.delayMs),
      }),
    );
  const curve = hitModel({ arm: 'br' }, bent(0.4))?.curvature;
  expect(curve?.p).toBeLessThan(0.01);
  expect(curve?.share).toBeGreaterThan(0.03);
  const straight = hitModel({ arm: 'br' }, bent(0))?.curvature;
  expect(straight?.p).toBeGreaterThan(0.9);
  expect(straight?.share).toBeCloseTo(0, 9);
});

test.each([0, 0.4])(
  'the interval of the waits contains the true value in about 95 of 100 runs, delay checks %d ms apart',
  (proofNoise) => {
    const runs = 60;
    let held = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const { run, samples } = explainedSweep({
        seed,
        launchNoise: 0.04,
        arms: ['br'],
        sizes: [262_144],
        launches: 5,
        samplesPerCell: 5,
      });
      const normal = normalVariate(createRandom(seed));
      // The configured delay is the true one; the delay check has an independent error each time.
      const proofs = run.plan.delaysMs.flatMap((delayMs) =>
        Array.from({ length: 10 }, () => ({
          ...run.proofs.find(({ requestedDelayMs }) => requestedDelayMs === delayMs)!,
          p50Ms: delayMs + 0.1 + proofNoise * normal(),
        })),
      );
      const noisy = { ...run, proofs };
      const [first] = pointsOfSeries(noisy, summarize(noisy, []).points, readsOf(samples));
      const model = first && hitModel(first.series, first.points);
      const truth = trueWaits(65_536);
      if (model?.waitsInterval && holds(model.waitsInterval, truth)) held++;
    }
    expect(held / runs).toBeGreaterThanOrEqual(0.88);
  },
);

test('in a merged run the delay checks of a launch are those of its own shard', () => {
  // Disk and reads of the second shard take twice as long, and it ran later.
  const shards = [1, 2].map((number) => {
    const { run, samples } = madeUpShard(number, 2);
    const proofs = run.proofs.flatMap((proof) =>
      Array.from({ length: 5 }, (_, index) => ({
        ...proof,
        p50Ms: 10 * number,
        takenAt: `2026-11-2${number}T00:00:0${index}Z`,
      })),
    );
    return {
      run: { ...run, proofs },
      samples: samples.map((each) => ({ ...each, readMs: 100 * number })),
    };
  });
  const merged = mergedRun(shards);
  if ('problems' in merged || !isRunOf('sweep', merged.value)) throw new Error('not merged');
  const { run, samples } = merged.value;
  const [first] = pointsOfSeries(run, summarize(run, samples).points, readsOf(samples));
  const point = first?.points.at(-1);
  expect(point?.launches).toBe(10);
  for (const [draw, ms] of (point?.drawnMs ?? []).entries()) {
    const shareOfSecond = Math.round(10 * Math.log2(ms / 100)) / 10;
    const expected = shareOfSecond === 0.5 ? 15 : shareOfSecond > 0.5 ? 20 : 10;
    expect(point?.drawnDelayMs[draw]).toBe(expected);
  }
});

test('held-out delays are predicted only from the other delays', () => {
  const exact = points([0, 1, 2, 5, 10], (delayMs) => trueBaseMs('br', 1e6) + 7 * delayMs);
  const found = heldOut([
    { series: { arm: 'br' }, points: exact },
    { series: { arm: 'dcb' }, points: exact.slice(0, 3) },
  ]);
  expect(found.points.map(({ series }) => series.arm)).toEqual(['br', 'br', 'br', 'br', 'br']);
  expect(found.medianShare).toBeCloseTo(0, 9);
  expect(heldOut([]).medianShare).toBeNull();
});
