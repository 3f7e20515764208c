import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

/** Number of samples, each of this processor time, when one is requested every 100 ms for 100 s. */
function looksIn100s(share: number, costMs: number): number {
  let [now, cpu, samples] = [0, 0, 0];
  const pace = new Pace(
    share,
    () => now,
    () => cpu,
  );
  for (; now < 100_000; now += 100)
    pace.take(() => {
      cpu += costMs;
      samples++;
    });
  return samples;
}

test('a cheap sample is taken at each request', () => {
  expect(looksIn100s(0.01, 0.5)).toBe(1000);
});

test('an expensive sample is taken as often as its share allows', () => {
  // 20 ms of each 2,000 ms are 1 %.
  expect(looksIn100s(0.01, 20)).toBe(50);
  expect(looksIn100s(0.005, 15)).toBe(34);
});

test('null is returned in between', () => {
  let [now, cpu] = [0, 0];
  const pace = new Pace(
    0.1,
    () => now,
    () => cpu,
  );
  const sample = () => {
    cpu += 10;
    return 'seen';
  };
  expect(pace.take(sample)).toBe('seen');
  now = 99;
  expect(pace.take(sample)).toBeNull();
  now = 100;
  expect(pace.take(sample)).toBe('seen');
});

test('the real clocks measure the cost of a sample', () => {
  const pace = new Pace(0.001);
  const burn = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    return true;
  };
  expect(pace.take(burn)).toBe(true);
  expect(pace.take(burn)).toBeNull();
});
