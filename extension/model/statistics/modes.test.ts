import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { modesOf } from './modes.ts';
import { normalVariate } from './resampled-median.ts';

const random = createRandom(6);
const normal = normalVariate(random);

/** Number of 40 groups of 60 that are reported as multimodal. */
function called(draw: () => number): number {
  return Array.from({ length: 40 }, () => Array.from({ length: 60 }, draw)).filter(
    (values) => modesOf(values)?.multimodal,
  ).length;
}

test('a unimodal distribution of any shape is seldom reported as multimodal', () => {
  expect(called(() => 20 + normal())).toBeLessThanOrEqual(2);
  expect(called(() => Math.exp(normal()))).toBeLessThanOrEqual(2);
  expect(called(random)).toBeLessThanOrEqual(3);
});

test("a timer's steps are not modes", () => {
  expect(called(() => 10 + Math.round(2 * normal()) / 10)).toBe(0);
});

test('cache hits with some misses have two modes, at the right positions', () => {
  expect(
    called(() => (random() < 0.25 ? 20 + normal() : 2 + normal() / 10)),
  ).toBeGreaterThanOrEqual(38);
  const mixed = [
    ...Array.from({ length: 60 }, () => 2 + normal() / 10),
    ...Array.from({ length: 30 }, () => 20 + normal()),
  ];
  const [hits, misses] = modesOf(mixed)?.at ?? [];
  expect(Math.abs((hits ?? 0) - 2)).toBeLessThan(0.3);
  expect(Math.abs((misses ?? 0) - 20)).toBeLessThan(2);
});

test('a few outliers are not a mode', () => {
  const values = [...Array.from({ length: 60 }, () => 20 + normal()), 200, 201, 202];
  expect(modesOf(values)).toMatchObject({ multimodal: false });
});

test('equal values have one mode; too few or unusable values give null', () => {
  expect(modesOf(Array.from({ length: 10 }, () => 3))).toEqual({ at: [3], multimodal: false });
  expect(modesOf([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeNull();
  expect(modesOf([...Array.from({ length: 20 }, () => 1), Number.NaN])).toBeNull();
});
