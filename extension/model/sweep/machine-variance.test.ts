import { mean, sampleVariance } from 'simple-statistics';
import { expect, test } from 'vitest';
import { nestedVariance } from './machine-variance.ts';
import { createRandom } from '../statistics/random.ts';

/** Strength of paste: ten batches of three casks, each tested twice (Davies and Goldsmith 1972; data set `Pastes` of lme4). */
const pastes = [
  [62.8, 62.6, 60.1, 62.3, 62.7, 63.1],
  [60, 61.4, 57.5, 56.9, 61.1, 58.9],
  [58.7, 57.5, 63.9, 63.1, 65.4, 63.7],
  [57.1, 56.4, 56.9, 58.6, 64.7, 64.5],
  [55.1, 55.1, 54.7, 54.2, 58.8, 57.5],
  [63.4, 64.9, 59.3, 58.1, 60.5, 60],
  [62.5, 62.6, 61, 58.7, 56.9, 57.7],
  [59.2, 59.4, 65.2, 66, 64.8, 64.1],
  [54.8, 54.8, 64, 64, 57.7, 56.8],
  [58.3, 59.3, 59.2, 59.2, 58.9, 56.6],
];

test('the components of a balanced design are those of REML (statsmodels 0.15.0: 0.6780, 8.4329, 1.6584)', () => {
  const machines = pastes.map((batch) =>
    [0, 2, 4].map((at) => ({ of: batch.slice(at, at + 2), against: [0, 0] })),
  );
  const found = nestedVariance(machines);
  expect(found?.read).toBeCloseTo(0.678, 4);
  expect(found?.launch).toBeCloseTo(8.433, 2);
  expect(found?.machine).toBeCloseTo(1.658, 2);
});

test('a source that cannot be separated makes all unknown', () => {
  const launch = { of: [1, 2], against: [1, 3] };
  expect(nestedVariance([[launch, launch]])).toBeNull();
  expect(nestedVariance([[launch], [launch]])).toBeNull();
  const single = { of: [1], against: [1] };
  expect(
    nestedVariance([
      [single, single],
      [single, single],
    ]),
  ).toBeNull();
  expect(nestedVariance([[launch, launch], [launch]])).not.toBeNull();
});

test('a negative estimate is 0', () => {
  const launch = { of: [0, 2], against: [0, 0] };
  expect(
    nestedVariance([
      [launch, launch],
      [launch, launch],
    ]),
  ).toEqual({ machine: 0, launch: 0, read: 2 });
});

test('unbalanced designs find the planted components on average', () => {
  const random = createRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const found = Array.from({ length: 600 }, () => {
    const machines = Array.from({ length: 12 }, (_, place) => {
      const machine = 2 * normal();
      return Array.from({ length: 2 + (place % 4) }, (__, number) => {
        const effect = machine + normal();
        const reads = (level: number) =>
          Array.from({ length: 1 + ((place + number) % 3) }, () => level + 0.5 * normal());
        return { of: reads(effect), against: reads(0) };
      });
    });
    return (
      nestedVariance(machines) ?? { machine: Number.NaN, launch: Number.NaN, read: Number.NaN }
    );
  });
  for (const [name, planted] of [
    ['machine', 4],
    ['launch', 1],
    ['read', 0.5],
  ] as const) {
    const values = found.map((each) => each[name]);
    const error = Math.sqrt(sampleVariance(values) / values.length);
    expect(Math.abs(mean(values) - planted) / error, name).toBeLessThan(4);
  }
});
