import { expect, test } from 'vitest';
import { type MachineReading, pooledEffect } from './machine-effect.ts';

/** Readings of machines, each with its medians by launch. */
function readings(machines: Record<string, readonly number[]>): MachineReading[] {
  return Object.entries(machines).flatMap(([machine, medians], place) =>
    medians.map((value, launch) => ({ machine, launch: place * 100 + launch, value })),
  );
}

test('a constant relative slowdown of a machine does not change an effect that is the same on all machines', () => {
  const against = { a: [10, 11], b: [20, 22], c: [30, 33], d: [40, 44] };
  const of = Object.fromEntries(
    Object.entries(against).map(([machine, values]) => [machine, values.map((each) => each * 1.5)]),
  );
  const pooled = pooledEffect(readings(of), readings(against));
  expect(pooled?.relative).toBeCloseTo(0.5, 12);
  expect(pooled?.machines.map(({ relative }) => relative)).toEqual(
    [0.5, 0.5, 0.5, 0.5].map((share) => expect.closeTo(share, 12) as number),
  );
  expect(pooled?.interval?.high).toBeCloseTo(0.5, 9);
});

test('four machines: t over machines with 3 degrees of freedom, calculated by hand', () => {
  const effects = [0.1, 0.2, 0.3, 0.4];
  const names = ['a', 'b', 'c', 'd'];
  const against = Object.fromEntries(names.map((name) => [name, [10, 10, 10]]));
  const of = Object.fromEntries(
    names.map((name, place) => [
      name,
      [-1, 0, 1].map((more) => 10 * Math.exp((effects[place] ?? 0) + 0.01 * Math.sqrt(3) * more)),
    ]),
  );
  const pooled = pooledEffect(readings(of), readings(against));
  // Mean 0.25, standard deviation 0.129099, error 0.0645497, t(0.975, 3) = 3.182446 (any table).
  expect(pooled?.scope).toBe('any machine');
  expect(Math.log1p(pooled?.relative ?? 0)).toBeCloseTo(0.25, 9);
  expect(Math.log1p(pooled?.interval?.low ?? 0)).toBeCloseTo(0.25 - 3.182446 * 0.0645497, 5);
  expect(Math.log1p(pooled?.interval?.high ?? 0)).toBeCloseTo(0.25 + 3.182446 * 0.0645497, 5);
  // Each error is 0.01 (standard deviation over 3 launches / √3), so Q = 0.05 / 0.0001 = 500 and I² = (500 - 3) / 500.
  expect(pooled?.heterogeneity).toBeCloseTo(497 / 500, 9);
  // t(0.975, 2) = 4.302653; between machines 0.0166667 - 0.0001.
  const reach = 4.302653 * Math.sqrt(0.0166667 - 0.0001 + 0.0645497 ** 2);
  expect(Math.log1p(pooled?.prediction?.high ?? 0)).toBeCloseTo(0.25 + reach, 4);
});

test('fewer than four machines: the interval is valid only for these, and there is no prediction', () => {
  const against = readings({ a: [10, 10.1, 10], b: [10, 10.2, 10], c: [10, 10.3, 10] });
  const of = readings({ a: [11, 11.2, 11], b: [13, 13.1, 13], c: [17, 17.2, 17] });
  const pooled = pooledEffect(of, against);
  expect(pooled?.scope).toBe('these machines');
  expect(pooled?.prediction).toBeNull();
  // Machines differ by far more than launches within them, and this interval does not include that.
  expect((pooled?.interval?.high ?? 1) - (pooled?.interval?.low ?? 0)).toBeLessThan(0.2);
});

test('one launch on a machine: its effect is known, its interval is unknown', () => {
  const pooled = pooledEffect(readings({ a: [12], b: [12] }), readings({ a: [10], b: [10] }));
  expect(pooled?.machines.map(({ interval }) => interval)).toEqual([null, null]);
  expect(pooled?.relative).toBeCloseTo(0.2, 12);
  expect(pooled).toMatchObject({ interval: null, heterogeneity: null });
});

test('a machine that read only one group is left out; without a machine the effect is unknown', () => {
  expect(pooledEffect(readings({ a: [1, 2] }), readings({ b: [1, 2] }))).toBeNull();
  const pooled = pooledEffect(readings({ a: [11, 12], b: [1, 1] }), readings({ a: [10, 10] }));
  expect(pooled?.machines.map(({ machine }) => machine)).toEqual(['a']);
});
