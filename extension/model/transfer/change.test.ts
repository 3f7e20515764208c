import { expect, test } from 'vitest';
import { createRandom } from '../statistics/random.ts';
import { normalQuantile } from '../statistics/normal.ts';
import { changesOf, type ChangeOptions, type SizeReadings, straightTrend } from './change.ts';
import { changeText } from './words.ts';

const sizes = [1, 2, 5, 10, 20, 35, 70, 100, 200, 300, 400, 700, 1000, 2000].map((kb) => kb * 1000);

/** Readings of five launches around a true curve, each launch with its own shift. */
function measured(
  truth: (bytes: number) => number,
  random: () => number,
  noise = 0.08,
): SizeReadings[] {
  const normal = () => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random())));
  const shifts = Array.from({ length: 5 }, () => 1 + 0.03 * normal());
  return sizes.map((bytes) => ({
    bytes,
    readings: shifts.flatMap((shift, launch) =>
      Array.from({ length: 8 }, () => ({
        launch,
        value: truth(bytes) * shift * Math.exp(noise * normal()),
      })),
    ),
  }));
}

/** The change of a run with this curve alone. */
function changeOf(curve: readonly SizeReadings[], options: ChangeOptions) {
  const [change] = changesOf([curve], options);
  if (!change) throw new Error('no change');
  return change;
}

const line = (bytes: number) => 2 + bytes / 500_000;

test('a weighted line passes through points that are on a line', () => {
  const { baseMs, msPerByte, misfit } = straightTrend(sizes, sizes.map(line));
  expect(baseMs).toBeCloseTo(2, 9);
  expect(msPerByte * 500_000).toBeCloseTo(1, 9);
  expect(misfit).toBeCloseTo(0, 12);
});

test('finds a step at its size, with an interval that contains it', () => {
  const step = (bytes: number) => line(bytes) * (bytes >= 200_000 ? 2 : 1);
  const change = changeOf(measured(step, createRandom(1)), { random: createRandom(2) });
  expect(change).toMatchObject({ found: 'departs', lastOnBytes: 100_000, firstOffBytes: 200_000 });
  expect(change.interval?.low).toBeLessThanOrEqual(100_000);
  expect(change.interval?.high).toBeGreaterThanOrEqual(200_000);
  expect(change.ratio).toBeCloseTo(2, 0);
});

test('finds a step that only the two largest sizes show', () => {
  const [last = 0, largest = 0] = sizes.slice(-2);
  const step = (bytes: number) => line(bytes) * (bytes >= last ? 2 : 1);
  const change = changeOf(measured(step, createRandom(5)), { random: createRandom(6) });
  expect(change).toMatchObject({ found: 'departs', firstOffBytes: last });
  expect(change.interval?.high).toBeLessThanOrEqual(largest);
});

test('a large departure is found, without a multiple, after a trend that falls below 0', () => {
  const early = [1.06, 1.04, 1, 0.92].map((ms, place) => ({ bytes: [1, 2, 5, 10][place], ms }));
  const late = [40, 43, 46, 50].map((ms, place) => ({ bytes: [100, 200, 500, 1000][place], ms }));
  const readings = [...early, ...late].map(({ bytes = 0, ms }) => ({
    bytes: bytes * 1000,
    readings: [0.99, 1, 1.01].map((noise, launch) => ({ launch, value: ms * noise })),
  }));
  const change = changeOf(readings, { random: createRandom(1) });
  expect(change).toMatchObject({ found: 'departs', firstOffBytes: 100_000, ratio: null });
  expect(changeText(change)).toMatch(/^from 100 KB \(95 % interval [^)]*\)$/);
});

test('finds a break where only the slope changes', () => {
  const bend = (bytes: number) => 2 + Math.max(0, bytes - 100_000) / 100_000;
  const change = changeOf(measured(bend, createRandom(3)), { random: createRandom(4) });
  expect(change.found).toBe('departs');
  expect(change.interval?.low).toBeLessThanOrEqual(100_000);
  expect(change.interval?.high).toBeGreaterThanOrEqual(100_000);
});

test('a straight line departs in about 5 of 100 measurements, as alpha says', () => {
  let departs = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = createRandom(seed);
    const change = changeOf(measured(line, random), { random, resamples: 60 });
    if (change.found === 'departs') departs++;
  }
  // More than 7 of 60 have a probability below 1 in 50.
  expect(departs).toBeLessThanOrEqual(7);
});

test('a departure by chance is none among the 12 curves of a run', () => {
  // One of the straight curves whose p-value alone is below 0.05, here about 0.02.
  const random = createRandom(112);
  const departing = measured(line, random);
  const options = () => ({ random: createRandom(112), resamples: 300 });
  expect(changeOf(departing, options()).found).toBe('departs');
  const others = Array.from({ length: 11 }, () => measured(line, random));
  const [change] = changesOf([departing, ...others], options());
  expect(change?.found).toBe('none');
  expect(change?.p).toBeGreaterThan(0.05);
});

test('an unknown result has a reason', () => {
  const random = createRandom(1);
  const readings = measured(line, random);
  expect(changeOf(readings.slice(0, 5), { random }).reason).toBe('too few sizes');
  const holed = readings.map((size, place) => (place === 3 ? { ...size, readings: [] } : size));
  expect(changeOf(holed, { random })).toMatchObject({
    found: 'unknown',
    reason: 'a size without readings',
  });
});

test('constant times are a flat trend, not a change', () => {
  const constant = sizes.map((bytes) => ({
    bytes,
    readings: [1, 2, 3].map((launch) => ({ launch, value: 5 })),
  }));
  expect(changeOf(constant, { random: createRandom(1) })).toMatchObject({ found: 'none' });
});
