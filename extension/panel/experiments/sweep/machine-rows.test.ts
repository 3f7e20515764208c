import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { palette } from '../../charts/palette.ts';
import { rowsOf } from './machine-rows.ts';

function firstGap(machines: number) {
  const { run, samples } = madeUpMachines(machines);
  const gap = summarize(run, samples).machines?.[0];
  if (!gap) throw new Error('no machines');
  return gap;
}

test('a forest plot has a row per machine in percent, then their mean and the prediction', () => {
  const gap = firstGap(4);
  const rows = rowsOf(gap, palette.orange);
  const names = ['m1', 'm2', 'm3', 'm4', 'All machines', 'Next machine'];
  expect(rows.map(({ label }) => label)).toEqual(names);
  const { pooled } = gap;
  expect(rows[0]?.value).toBe(100 * (pooled.machines[0]?.relative ?? 0));
  expect(rows[4]?.span).toEqual([
    100 * (pooled.interval?.low ?? 0),
    100 * (pooled.interval?.high ?? 0),
  ]);
  expect(rows[5]?.value).toBe(rows[4]?.value);
  expect(rows[5]?.span).not.toEqual(rows[4]?.span);
});

test('an unknown interval is no bar, and fewer than four machines have no prediction', () => {
  const gap = firstGap(3);
  const machines = gap.pooled.machines.map((each) => ({ ...each, interval: null }));
  const rows = rowsOf({ ...gap, pooled: { ...gap.pooled, machines } }, palette.orange);
  expect(rows.map(({ label, span }) => [label, span === null])).toEqual([
    ['m1', true],
    ['m2', true],
    ['m3', true],
    ['All machines', false],
  ]);
});

test('of too many machines those with the smallest and the largest effects are drawn; names are cut', () => {
  const gap = firstGap(4);
  const machines = Array.from({ length: 100 }, (_, place) => ({
    machine: `${place}`.padEnd(80, 'x'),
    relative: place,
    interval: null,
    launches: 2,
  }));
  const rows = rowsOf({ ...gap, pooled: { ...gap.pooled, machines } }, palette.orange);
  expect(rows).toHaveLength(42);
  expect(rows.slice(19, 21).map(({ value }) => value)).toEqual([1900, 8000]);
  for (const { label } of rows) expect(label.length).toBeLessThanOrEqual(24);
});
