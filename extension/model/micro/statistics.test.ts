import { expect, test } from 'vitest';
import { byCell } from '../run/cell.ts';
import { microCellKey } from './slice.ts';
import { microStatistics, readingsOf } from './statistics.ts';
import { madeUpSlice } from '../fixtures/micro.ts';

test('average, median and 95th percentile are computed over the runs', () => {
  // 1 to 20 ms, once each: 20 runs in 210 ms.
  const batchUs = Array.from({ length: 20 }, (_, index) => 1000 * (index + 1));
  const slice = madeUpSlice({}, { batchUs, counts: batchUs.map(() => 1), runs: 20, totalMs: 210 });
  expect(microStatistics([slice])).toMatchObject({
    runs: 20,
    totalMs: 210,
    averageMs: 10.5,
    medianMs: 10.5,
    p95Ms: expect.closeTo(19.05, 9) as number,
    launches: 1,
    belowResolution: false,
  });
});

test('the time of a run is the time of its batch divided by the number of runs', () => {
  const slice = madeUpSlice(
    {},
    { batch: 500, batchUs: [600], counts: [9], runs: 4500, totalMs: 5.4 },
  );
  const figure = microStatistics([slice]);
  expect(figure).toMatchObject({
    medianMs: 0.0012,
    averageMs: expect.closeTo(0.0012, 9) as number,
  });
  // A clock step of 5 µs in a batch of 500 runs.
  expect(figure?.resolutionMs).toBeCloseTo(0.00001, 9);
  expect(figure?.belowResolution).toBe(false);
});

test('a time of less than two clock steps is below the resolution', () => {
  const slice = madeUpSlice({}, { batchUs: [0, 5], counts: [90, 10], runs: 100, totalMs: 0.2 });
  expect(microStatistics([slice])).toMatchObject({ medianMs: 0, belowResolution: true });
});

test('counts are weights: a rare long run changes the average, not the median', () => {
  const slice = madeUpSlice(
    {},
    { batchUs: [1000, 100_000], counts: [99, 1], runs: 100, totalMs: 199 },
  );
  expect(microStatistics([slice])).toMatchObject({ medianMs: 1, averageMs: 1.99 });
});

test('a sample of too many readings has its share of long runs, of which each is in a bucket of its own', () => {
  const tailUs = Array.from({ length: 2000 }, (_, index) => 100 + index);
  const counts = [1_998_000, 2_000_000, ...tailUs.map(() => 1)];
  const sample = readingsOf([madeUpSlice({}, { batchUs: [5, 10, ...tailUs], counts })]);
  expect(sample).toHaveLength(2_000_000);
  expect(sample.filter(({ value }) => value >= 0.1)).toHaveLength(1000);
});

test('slices of one cell are merged, with an interval over their launches; flagged ones are excluded', () => {
  const run = (launch: number, us: number) =>
    madeUpSlice(
      {},
      { launch, batchUs: [us, us + 10], counts: [50, 50], runs: 100, totalMs: us / 10 },
    );
  const flagged = { ...run(9, 1_000_000), flags: ['origin-touched' as const] };
  const figure = microStatistics([run(0, 1000), run(1, 1100), run(2, 1200), flagged]);
  expect(figure).toMatchObject({ launches: 3, runs: 300, flagged: 1, totalMs: 330 });
  const { lowMs, highMs, medianMs } = figure ?? {};
  expect(medianMs).toBeCloseTo(Math.cbrt(1.005 * 1.105 * 1.205), 9);
  expect(lowMs).toBeLessThan(1);
  expect(highMs).toBeGreaterThan(1.2);
});

test('without a usable slice the values are null', () => {
  const figure = microStatistics([madeUpSlice({}, { flags: ['requests-unequal'] })]);
  expect(figure).toMatchObject({
    runs: 0,
    averageMs: null,
    medianMs: null,
    p95Ms: null,
    flagged: 1,
  });
  expect(microStatistics([])).toBeNull();
});

test('cells differ when any factor differs', () => {
  const cells = [
    {},
    { bytes: 51 },
    { row: 'miss-query' },
    { cache: 'memory' },
    { state: 'dropped' },
  ] as const;
  const more = [{ delayMs: 5 }, { entries: 10 }, { backEnd: 'sql' }, { part: 'list' }] as const;
  const slices = [...cells, ...more, {}].map((cell) => madeUpSlice(cell));
  expect(byCell(slices, microCellKey).map((own) => own.length)).toEqual([
    2, 1, 1, 1, 1, 1, 1, 1, 1,
  ]);
});
