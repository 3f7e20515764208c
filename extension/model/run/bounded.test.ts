import { expect, test } from 'vitest';
import { madeUpSlice } from '../fixtures/micro.ts';
import { readingsOf } from '../micro/statistics.ts';
import { microSliceSchema } from '../micro/slice.ts';
import { greatest, least } from '../extremes.ts';
import { unboundedNumbers } from './bounded.ts';

test('a number beyond any measurable value is a problem at any depth', () => {
  expect(unboundedNumbers('run', { a: [{ b: -1e15, c: null, d: 'x' }] })).toEqual([]);
  expect(unboundedNumbers('run', { a: [{ b: 1e308 }] })).toHaveLength(1);
  const nested = (levels: number, inside: string) =>
    JSON.parse(`${'['.repeat(levels)}${inside}${']'.repeat(levels)}`) as unknown;
  expect(unboundedNumbers('run', nested(400, '-1e308'))[0]).toContain('beyond what can be');
  expect(unboundedNumbers('run', nested(400, '1'))).toEqual([]);
  expect(unboundedNumbers('run', nested(5000, '1'))).toEqual([
    'run is nested more than 500 levels deep',
  ]);
});

test('a slice cannot request more readings than the memory limit', () => {
  const parse = (counts: number[]) =>
    microSliceSchema.safeParse(madeUpSlice({}, { counts })).success;
  expect([parse([100]), parse([3e8]), parse([-1]), parse([0.5])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const slices = Array.from({ length: 10 }, () => madeUpSlice({}, { counts: [1_000_000] }));
  expect(readingsOf(slices)).toHaveLength(2_000_000);
});

test('the minimum and maximum of 300,000 numbers are found', () => {
  const many = Array.from({ length: 300_000 }, (_, index) => index);
  expect([greatest(many), least(many), greatest([]), least([])]).toEqual([
    299_999,
    0,
    -Infinity,
    Infinity,
  ]);
});
