import { expect, test } from 'vitest';
import { batchOf, timeRuns } from './micro-loop.ts';

/** A clock with steps of 5 µs, and work that takes a given time on it. */
function mockedClock() {
  const stepMs = 0.005;
  let trueMs = 1000;
  return {
    now: () => Math.floor(trueMs / stepMs + 1e-9) * stepMs,
    work: (ms: number) => {
      trueMs += ms;
      return Promise.resolve(true);
    },
  };
}

const forever = { timeMs: 1e9, mostRuns: null };

test('runs are repeated for the requested duration, and totalMs, runs and batchUs agree with the clock', async () => {
  const clock = mockedClock();
  const timed = await timeRuns(clock.now, () => clock.work(2), { ...forever, timeMs: 100 }, 1);
  expect(timed).toEqual({
    totalMs: expect.closeTo(100, 6) as number,
    runs: 50,
    batch: 1,
    batchUs: [2000],
    counts: [50],
    found: 50,
  });
});

test('the time of every batch is counted in a histogram', async () => {
  const clock = mockedClock();
  const lengths = [0.5, 1, 0.5, 3, 0.5];
  const run = (index: number) => clock.work(lengths[index] ?? 0);
  const timed = await timeRuns(clock.now, run, { ...forever, mostRuns: 5 }, 1);
  expect(timed).toMatchObject({ batchUs: [500, 1000, 3000], counts: [3, 1, 1], runs: 5 });
  expect(timed.totalMs).toBeCloseTo(5.5, 6);
});

test('at least one run is made, however short the duration', async () => {
  const clock = mockedClock();
  const timed = await timeRuns(clock.now, () => clock.work(7), { timeMs: 0, mostRuns: null }, 1);
  expect(timed).toMatchObject({ runs: 1, batchUs: [7000] });
});

test('runs shorter than a clock step are timed in batches, to one percent', async () => {
  const clock = mockedClock();
  const run = () => clock.work(0.00123);
  const batch = await batchOf(clock.now, run, 0.005);
  expect(batch * 0.00123).toBeGreaterThanOrEqual(0.5);
  const timed = await timeRuns(clock.now, run, { ...forever, timeMs: 50 }, batch);
  expect(timed.runs % batch).toBe(0);
  expect(timed.totalMs / timed.runs).toBeCloseTo(0.00123, 5);
  for (const us of timed.batchUs) expect(us / 1000 / batch).toBeCloseTo(0.00123, 4);
});

test('runs longer than a hundred clock steps need no batch, even when the first run is slow', async () => {
  const clock = mockedClock();
  expect(await batchOf(clock.now, () => clock.work(0.6), 0.005)).toBe(1);
  let runs = 0;
  const slowAtFirst = () => clock.work(runs++ === 0 ? 5 : 0.1);
  expect(await batchOf(clock.now, slowAtFirst, 0.005)).toBe(8);
});

test('successful lookups are counted separately', async () => {
  const clock = mockedClock();
  const run = async (index: number) => {
    await clock.work(1);
    return index % 4 === 0;
  };
  const timed = await timeRuns(clock.now, run, { ...forever, mostRuns: 10 }, 1);
  expect(timed).toMatchObject({ runs: 10, found: 3 });
});
