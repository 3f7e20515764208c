import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { compare, compareFamily } from './comparison.ts';
import { createRandom } from './random.ts';
import type { Reading } from './readings.ts';

const within = (launch: number | null, values: readonly number[]): Reading[] =>
  values.map((value) => ({ value, launch }));
const each = (first: number, values: readonly number[]): Reading[] =>
  values.flatMap((value, place) => within(first + place, [value]));

test('many readings of one launch do not count as many launches', () => {
  const many = (first: number, levels: readonly number[]) =>
    levels.flatMap((level, place) =>
      within(first + place, [level - 1, level, level, level, level, level + 1]),
    );
  const comparison = compare(many(0, [100, 108, 92]), many(9, [104, 96, 88]));
  expect(comparison).toMatchObject({ design: 'by launch', of: { readings: 18, launches: 3 } });
  expect(comparison.p).toBeGreaterThan(0.3);
});

test('paired launches: what a launch does to both groups cancels', () => {
  const levels = [100, 140, 120, 90];
  const of = levels.flatMap((level, launch) => within(launch, [level + 5, level + 6, level + 7]));
  const against = levels.flatMap((level, launch) => within(launch, [level - 1, level, level + 1]));
  const { differenceInterval: paired } = compare(of, against);
  expect(paired?.low).toBeGreaterThan(4);
  expect(paired?.high).toBeLessThan(8);
  const apart = against.map(({ value, launch }) => ({ value, launch: (launch ?? 0) + 10 }));
  expect(compare(of, apart).differenceInterval?.low).toBeLessThan(0);
});

// A published table said 193 and 243 ms, and its sentence 12.2 ms less: medians there, means of the launches here.
test('the difference is that of the levels shown, also with one reading in each launch and an outlier', () => {
  const comparison = compare(each(0, [14, 14, 14, 14, 14, 14, 40]), each(0, Array(7).fill(10)));
  const { of, against, difference } = comparison;
  expect(difference).toBeCloseTo((of.median ?? 0) - (against.median ?? 0), 12);
});

test('below three launches of either group the interval is unknown, however many readings there are', () => {
  const six = [1, 2, 3, 4, 5, 6];
  const two = [...within(0, six), ...within(1, six)];
  expect(compare(two, two)).toMatchObject({
    differenceInterval: null,
    relativeInterval: null,
    p: null,
    noInterval: 'too few launches',
  });
  // Two pairs of launches do not become three by a launch without a partner.
  expect(compare([...two, ...within(2, six)], two).noInterval).toBe('too few launches');
  const three = [...two, ...within(2, six)];
  expect(compare(three, three)).toMatchObject({ noInterval: null, p: 1 });
});

test('equal levels differ in nothing: what rounding leaves is no evidence either', () => {
  const group = (first: number, launches: number) =>
    Array.from({ length: launches }, (_, launch) => within(first + launch, [7, 7])).flat();
  expect(compare(group(0, 11), group(20, 3))).toMatchObject({
    difference: 0,
    differenceInterval: { low: 0, high: 0 },
    p: 1,
  });
});

test('unknown values are null, with the reason', () => {
  const none = { difference: null, differenceInterval: null, noInterval: 'no usable readings' };
  expect(compare([], within(0, [1]))).toMatchObject({
    ...none,
    problems: [{ code: 'CS_NO_READINGS' }],
  });
  expect(compare(within(0, [1, Number.NaN]), within(0, [-1]))).toMatchObject({
    ...none,
    problems: [{ code: 'CS_READING_NOT_FINITE' }, { code: 'CS_READING_NEGATIVE' }],
  });
  expect(compare(within(0, [3]), within(1, [2]))).toMatchObject({
    difference: 1,
    relative: 0.5,
    differenceInterval: null,
  });
  expect(compare(each(0, [1, 2, 3]), each(9, [0, 0, 0]))).toMatchObject({
    difference: 2,
    relative: null,
    relativeInterval: null,
  });
});

/** Families of random size, scale, scatter and design. */
const families = fc.integer().map((seed) => {
  const random = createRandom(seed);
  const normal = normalVariate(random);
  const scatter = 0.2 * random();
  const isPaired = random() < 0.5;
  return Array.from({ length: 1 + Math.floor(12 * random()) }, (_, pair) => {
    const launches = 1 + Math.floor(8 * random());
    const scale = 10 ** (4 * random() - 2);
    const levels = Array.from({ length: launches }, () => scale * Math.exp(scatter * normal()));
    const group = (times: number, first: number) =>
      levels.flatMap((level, launch) =>
        within(
          first + launch,
          Array.from({ length: 3 }, () => times * level * Math.exp(scatter * normal())),
        ),
      );
    return { of: group(1 + 0.2 * (pair % 2), 0), against: group(1, isPaired ? 0 : 100) };
  });
});

test('difference, share, interval and p-value of a comparison never contradict each other', () => {
  fc.assert(
    fc.property(families, (pairs) => {
      for (const comparison of compareFamily(pairs)) {
        const { differenceInterval: ms, relativeInterval: share, against } = comparison;
        if (!ms || !share) continue;
        const level = against.median ?? 0;
        expect(share.low * level).toBeCloseTo(ms.low, 9);
        expect(share.high * level).toBeCloseTo(ms.high, 9);
        const excludesZero = ms.low > 0 || ms.high < 0;
        expect((comparison.p ?? 0) < 0.05 - 1e-9 ? true : excludesZero).toBe(excludesZero);
        if (excludesZero) expect(comparison.p).toBeLessThanOrEqual(0.05 + 1e-9);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('the intervals of a family hold together: at least one misses in at most 5 % of families', () => {
  const normal = normalVariate(createRandom(31));
  const trials = 300;
  let missed = 0;
  for (let trial = 0; trial < trials; trial++) {
    const pairs = Array.from({ length: 12 }, () => {
      const shared = Array.from({ length: 4 }, () => 100 + 4 * normal());
      const group = () =>
        shared.flatMap((level, launch) => within(launch, [level + normal(), level + normal()]));
      return { of: group(), against: group() };
    });
    const found = compareFamily(pairs).map(({ differenceInterval }) => differenceInterval);
    if (found.some((ms) => ms === null || ms.low > 0 || ms.high < 0)) missed++;
  }
  // Three standard errors of a share of 0.05 in 300 trials are 0.038; with 95 % for each alone it is 0.46.
  expect(missed / trials).toBeLessThan(0.088);
});

test('equal groups with launches of their own are called different in at most 5 % of trials', () => {
  const normal = normalVariate(createRandom(7));
  const group = (first: number) =>
    [0, 1, 2].flatMap((launch) => {
      const level = 100 + 3 * normal();
      return within(first + launch, [level + normal(), level + normal(), level + normal()]);
    });
  const trials = 1000;
  let called = 0;
  for (let trial = 0; trial < trials; trial++)
    if ((compare(group(0), group(10)).p ?? 1) <= 0.05) called++;
  // Three standard errors are 0.021; with every reading taken as independent the share is above 0.3.
  expect(called / trials).toBeLessThan(0.071);
});
