import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import type { RunBase } from '../run/base.ts';
import type { LinesChart } from './chart.ts';
import { type SingleValue, steadinessCharts } from './steadiness.ts';

const words = { one: 'read', group: 'launch', groups: 'launches' };
const run: RunBase = { ...madeUpBase(), proofs: [] };
const { startedAt } = run;

/** A value taken so many seconds after the start of the run. */
function taken(cell: string, launch: number, seconds: number, value: number): SingleValue {
  const takenAt = new Date(Date.parse(startedAt) + 1000 * seconds).toISOString();
  return { cell, launch, takenAt, value };
}

function chartsOf(values: readonly SingleValue[], changed: Partial<RunBase> = {}) {
  const series = { label: 'Brotli', look: 'blue' as const, values };
  return steadinessCharts({ ...run, ...changed }, [series], words) as LinesChart[];
}

test('cells of different levels are shown as differences from their own medians', () => {
  // Two cells, 10 and 1000 ms, each 10 % slower in the second launch.
  const values = [10, 1000].flatMap((ms) =>
    [0, 1].flatMap((launch) =>
      [0, 1, 2].map((read) => taken(`${ms}`, launch, 10 * launch + read, ms * (1 + launch / 10))),
    ),
  );
  const [byLaunch, overTime] = chartsOf(values);
  // The median of each cell is halfway: 5 % above the first launch.
  const shares = (chart: LinesChart | undefined) =>
    chart?.lines[0]?.points.map(({ y }) => Math.round(10 * (y ?? Number.NaN)) / 10);
  expect(shares(byLaunch)).toEqual([-4.8, 4.8]);
  expect(shares(overTime)).toEqual([-4.8, 4.8]);
  expect(byLaunch?.lines[0]?.points.map(({ x }) => Math.round(x))).toEqual([1, 2]);
  expect(overTime?.lines[0]?.points.map(({ x }) => x)).toEqual([1, 11]);
  expect(byLaunch?.lines[0]?.single).toHaveLength(values.length);
});

test('two measurements of a cell have no median to differ from, and one launch is no comparison', () => {
  expect(chartsOf([taken('a', 0, 1, 10), taken('a', 1, 2, 12)])).toEqual([]);
  const one = [1, 2, 3].map((seconds) => taken('a', 0, seconds, 10));
  expect(chartsOf(one).map(({ id }) => id)).toEqual(['over-time']);
});

test('single marks of two series in one launch do not overlap', () => {
  const values = [0, 1].flatMap((launch) => [1, 2, 3].map((at) => taken('a', launch, at, 10 + at)));
  const series = (['blue', 'orange'] as const).map((look) => ({ label: look, look, values }));
  const [chart] = steadinessCharts(run, series, words) as LinesChart[];
  const [one, other] = (chart?.lines ?? []).map(({ single = [] }) => single.map(({ x }) => x));
  const inFirst = (places: readonly number[] = []) => places.filter((x) => x < 1.5);
  expect(Math.max(...inFirst(one))).toBeLessThan(Math.min(...inFirst(other)));
});

test('load and delay proofs are beneath, in the units of the axes', () => {
  const proof = {
    storage: 'nbd-live' as const,
    requestedDelayMs: 5,
    when: 'before' as const,
    reads: 8,
    p50Ms: 5.4,
    p95Ms: 6,
    throughputBytesPerSecond: null,
    off: false,
    takenAt: startedAt,
  };
  const load = {
    startedAt,
    spanMs: 2000,
    measuringMs: 1000,
    othersShare: 0.25,
    stealShare: 0,
    cpuPressure: 0,
    memoryPressure: 0,
    loadAverage: 1,
    clockJumpMs: 0,
  };
  const values = [1, 2, 3].map((seconds) => taken('a', 0, seconds, 10));
  const [chart] = chartsOf(values, { proofs: [proof], machineLoad: [load] });
  const places = chart?.beneath?.map(({ lines }) => lines[0]?.points);
  expect(places).toEqual([[{ x: 1, y: 25 }], [{ x: 0, y: expect.closeTo(0.4) }]]);
});

test('the machines of a merged run have no common time', () => {
  const values = [0, 1].flatMap((launch) => [1, 2, 3].map((at) => taken('a', launch, at, 10)));
  const ids = chartsOf(values, { merged: { shards: [] } }).map(({ id }) => id);
  expect(ids).toEqual(['by-launch']);
});
