import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { downsample } from './downsample.ts';

const line = fc.array(fc.record({ x: fc.nat(1000), y: fc.double({ noNaN: true }) }), {
  minLength: 1,
  maxLength: 400,
});

test('few points stay unchanged, except that unknown ones are removed', () => {
  const points = [
    { x: 0, y: 1 },
    { x: 1, y: null },
    { x: 2, y: 3 },
  ];
  expect(downsample(points, 10)).toEqual([points[0], points[2]]);
  expect(downsample([], 10)).toEqual([]);
  expect(downsample([{ x: 0, y: null }], 10)).toEqual([]);
});

test('a spike of one point among ten thousand is not lost', () => {
  const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 6_543 ? 99 : 1 }));
  const drawn = downsample(points, 100);
  expect(drawn).toContainEqual({ x: 6_543, y: 99 });
  expect(drawn.length).toBeLessThanOrEqual(100);
});

test('each interval keeps its first, lowest, highest and last point', () => {
  const points = [5, 1, 7, 3, 4, 8, 2, 6].map((y, x) => ({ x, y }));
  // Two intervals of four points each.
  expect(downsample([...points, { x: 8, y: 6 }], 8).map(({ x }) => x)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 8,
  ]);
});

test('points with equal x are one interval', () => {
  const points = Array.from({ length: 50 }, (_, y) => ({ x: 7, y }));
  expect(downsample(points, 8).map(({ y }) => y)).toEqual([0, 49]);
});

test('ends, extremes and order are kept, and no point is invented', () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 4, max: 60 }), (given, most) => {
      const points = given.toSorted((one, other) => one.x - other.x);
      const drawn = downsample(points, most);
      const ys = points.map(({ y }) => y);
      const drawnYs = drawn.map(({ y }) => y);
      expect(drawn[0]).toBe(points[0]);
      expect(drawn.at(-1)).toBe(points.at(-1));
      expect(Math.min(...drawnYs)).toBe(Math.min(...ys));
      expect(Math.max(...drawnYs)).toBe(Math.max(...ys));
      const places = drawn.map((point) => points.indexOf(point));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
      expect(drawn.length).toBeLessThanOrEqual(Math.max(most, 4));
    }),
    { numRuns: propertyRuns(60) },
  );
});
