import { createRandom } from '@cachescope/model/random.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnMedian, launchDraws, leaveOneLaunchOut, widened } from './launch-bootstrap.ts';
import { median } from './quantile.ts';

test('the median of a draw is the median of all values that it holds', () => {
  const launches = fc.array(
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(launches, fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }), (values, times) => {
      const held = values.flatMap((launch, index) =>
        Array.from({ length: times[index] ?? 0 }, () => launch).flat(),
      );
      expect(drawnMedian(values)(Uint32Array.from(times))).toEqual(median(held) ?? Number.NaN);
    }),
    { numRuns: 200 },
  );
});

test('as many launches are drawn as there are, each equally often in the long run', () => {
  const draw = launchDraws(4, createRandom(2));
  const totals = [0, 0, 0, 0];
  for (let count = 0; count < 5000; count++) {
    const times = draw();
    expect(times.reduce((total, time) => total + time, 0)).toBe(4);
    for (const [launch, time] of times.entries()) totals[launch] = (totals[launch] ?? 0) + time;
  }
  expect(Math.min(...totals)).toBeGreaterThan(4700);
  expect(Math.max(...totals)).toBeLessThan(5300);
});

test('each launch is left out once', () => {
  const left = Array.from(leaveOneLaunchOut(3), (times) => [...times]);
  expect(left).toEqual([
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 0],
  ]);
});

test('few launches ask for more confidence, many for what was asked', () => {
  // 2.2622 sqrt(10 / 9) = 2.3846, beyond which a normal variable lies in 1.710 %.
  expect(widened(0.95, 10)).toBeCloseTo(1 - 0.0171, 4);
  expect(widened(0.95, 1_000_000)).toBeCloseTo(0.95, 5);
});

test('the median of a draw is that of its values, however many blocks they fill and however they tie', () => {
  const random = createRandom(11);
  const launches = [200, 1, 90, 333].map((size) =>
    Array.from({ length: size }, () => Math.floor(random() * 50)),
  );
  const medianOf = drawnMedian(launches);
  const draw = launchDraws(launches.length, random);
  for (let trial = 0; trial < 50; trial++) {
    const drawn = draw();
    const values = launches.flatMap((launch, index) =>
      Array.from({ length: drawn[index] ?? 0 }, () => launch).flat(),
    );
    expect(medianOf(drawn)).toBe(median(values));
  }
  expect(medianOf(new Uint32Array(launches.length))).toBeNaN();
});
