import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { type Comparison, compare, compareFamily } from './comparison.ts';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';
import { mannWhitney } from './mann-whitney.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';
import { judge } from './verdict.ts';

const options = { random: createRandom(1), resamples: 300 };
const alone = (values: readonly number[]): Reading[] =>
  values.map((value) => ({ value, launch: null }));
const within = (launch: number, values: readonly number[]): Reading[] =>
  values.map((value) => ({ value, launch }));

test('independent readings: every value comes from the function that computes it', () => {
  const comparison = compare(alone(normalish), alone(skewed), options);
  expect(comparison).toMatchObject({
    design: 'independent',
    method: 'bootstrap',
    launchUnknown: true,
    leftOut: 0,
  });
  expect(comparison.difference).toBeCloseTo(97.45 - 98.4, 10);
  expect(comparison.relative).toBeCloseTo(97.45 / 98.4 - 1, 10);
  const [location, shape] = [mannWhitney(normalish, skewed), kolmogorovSmirnov(normalish, skewed)];
  expect(comparison.p).toBe(location?.p);
  expect(comparison.pAlike).toBe(2 * Math.min(location?.p ?? 1, shape?.p ?? 1));
  expect(comparison.effect?.greaterShare).toBe((location?.u ?? 0) / (30 * 25));
});

test('many readings of two launches do not count as many launches', () => {
  const [first, second] = [
    normalish.map((value) => value + 8),
    normalish.map((value) => value - 8),
  ];
  const of = [...within(0, first), ...within(1, second)];
  const against = [...within(2, first), ...within(3, first)];
  const comparison = compare(of, against, options);
  expect(comparison.method).toBe('t over launches');
  expect(comparison.p).toBeGreaterThan(0.3);
  // Treated as independent, the same readings differ significantly.
  expect(compare(of, against, { ...options, scope: 'these launches' }).p).toBeLessThan(0.01);
});

test('paired launches: launch effects cancel', () => {
  const of = [
    ...within(
      0,
      normalish.map((value) => value + 5),
    ),
    ...within(
      1,
      normalish.map((value) => value + 46),
    ),
  ];
  const against = [
    ...within(0, normalish),
    ...within(
      1,
      normalish.map((value) => value + 40),
    ),
  ];
  const { differenceInterval, method } = compare(of, against, options);
  expect(method).toBe('t over launches');
  expect(differenceInterval?.low).toBeLessThan(5);
  expect(differenceInterval?.high).toBeGreaterThan(6);
  expect((differenceInterval?.high ?? 99) - (differenceInterval?.low ?? 0)).toBeLessThan(25);
});

test('two launches: estimate and interval are both based on the differences within launches', () => {
  // A reported case: differences of 3 ms in both launches, and launch levels 30 ms apart.
  const dcb = [90, 91, 92, 93, 94, 120, 121, 122, 123, 124];
  const group = (shift: number) => [
    ...within(
      0,
      dcb.slice(0, 5).map((value) => value + shift),
    ),
    ...within(
      1,
      dcb.slice(5).map((value) => value + shift),
    ),
  ];
  const these = compare(group(0), group(3), { ...options, scope: 'these launches' });
  expect(these.method).toBe('bootstrap');
  expect(these.difference).toBeCloseTo(-3, 1);
  expect(these.differenceInterval?.low).toBeLessThan(-3);
  expect(these.differenceInterval?.high).toBeGreaterThan(-3);
  // Every value of one group is 3 ms less than the other group’s value in the same launch.
  expect(these.p).toBeLessThan(0.05);
});

test('a family pools its variances and leaves its estimates unchanged', () => {
  const normal = normalVariate(createRandom(9));
  const pairs = Array.from({ length: 6 }, () => {
    const group = () =>
      [0, 1, 2, 3].flatMap((launch) => within(launch, [100 + normal(), 100 + normal()]));
    return { of: group(), against: group() };
  });
  const alone = pairs.map(({ of, against }) => compare(of, against, options));
  const together = compareFamily(pairs, options);
  expect(together.map(({ difference }) => difference)).toEqual(
    alone.map(({ difference }) => difference),
  );
  expect(together.map(({ freedom }) => freedom)).toEqual(Array<number>(6).fill(5));
  const width = ({ differenceInterval: found }: Comparison) =>
    (found?.high ?? 0) - (found?.low ?? 0);
  const widths = (comparisons: readonly Comparison[]) =>
    comparisons.map(width).toSorted((a, b) => a - b);
  const [narrowest = 0, ...others] = widths(together);
  expect(narrowest).toBeGreaterThan(widths(alone)[0] ?? 0);
  expect(others.at(-1)).toBeLessThan(widths(alone).at(-1) ?? 0);
});

test('when the interval of the difference contains 0, that of the ratio contains it too', () => {
  const readings = (values: readonly number[]) =>
    values.flatMap((value, launch) => within(launch, [value]));
  // Six pairs with ratios of 1.2 to 1.5, and one with a ratio of 4, which has more weight in a difference.
  const { differenceInterval, relativeInterval } = compare(
    readings([13, 14, 12, 15, 13, 14, 40]),
    readings(Array<number>(7).fill(10)),
    options,
  );
  expect(differenceInterval?.low).toBeLessThan(0);
  expect(relativeInterval).toMatchObject({ low: 0 });
});

test('equal levels differ in nothing: what rounding leaves is no evidence either', () => {
  const group = (first: number, launches: number) =>
    Array.from({ length: launches }, (_, launch) => within(first + launch, [7, 7])).flat();
  expect(compare(group(0, 11), group(20, 3), options)).toMatchObject({
    difference: 0,
    differenceInterval: { low: 0, high: 0 },
    p: 1,
  });
});

test('unknown values are null, with the reason', () => {
  const none = {
    difference: null,
    differenceInterval: null,
    p: null,
    effect: null,
    noInterval: 'no usable readings',
  };
  expect(compare([], alone([1]), options)).toMatchObject({
    ...none,
    problems: [{ code: 'CS_NO_READINGS' }],
  });
  expect(compare(alone([1, Number.NaN]), alone([-1]), options)).toMatchObject({
    ...none,
    problems: [{ code: 'CS_READING_NOT_FINITE' }, { code: 'CS_READING_NEGATIVE' }],
  });
  expect(compare(alone([3]), alone([2]), options)).toMatchObject({
    difference: 1,
    relative: 0.5,
    differenceInterval: null,
    noInterval: 'too few readings',
  });
  const six = [1, 2, 3, 4, 5, 6];
  expect(compare(within(0, six), within(1, six), options)).toMatchObject({
    noInterval: 'too few launches',
    p: null,
  });
  expect(compare(alone(six), alone([0, 0, 0, 0, 0, 0]), options)).toMatchObject({
    relative: null,
    relativeInterval: null,
  });
});

const lawOf =
  (normal: () => number) =>
  (launches: number | null): Comparison => {
    const group = (first: number): Reading[] => {
      const levels = Array.from({ length: launches ?? 0 }, () => 2 * normal());
      return Array.from({ length: 12 }, (_, index) => {
        const launch = launches === null ? null : first + (index % launches);
        return {
          value: 100 + (launch === null ? 0 : (levels[launch - first] ?? 0)) + normal(),
          launch,
        };
      });
    };
    return compare(group(0), group(50), options);
  };

test.each([null, 2, 4])(
  'equal groups (launches: %s) are called DIFFERENT in at most 5 %% of trials',
  (launches) => {
    const draw = lawOf(normalVariate(createRandom(31)));
    const trials = 100;
    const called = Array.from({ length: trials }, () => draw(launches)).filter(
      (comparison) =>
        judge([comparison], { better: 'lower', inconclusive: null })[0]?.outcome === 'DIFFERENT',
    ).length;
    // Three standard errors of a share of 0.05 in 100 trials are 0.065; for readings treated as independent, the share
    // is 0.6.
    expect(called / trials).toBeLessThan(0.115);
  },
);
