import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../statistics/random.ts';
import {
  bucketOf,
  bucketRangeUs,
  meanMs,
  mergedHistogram,
  quantileMs,
  TimeHistogram,
} from './histogram.ts';

function histogramOf(times: readonly number[]) {
  const histogram = new TimeHistogram();
  for (const time of times) histogram.add(time);
  return histogram.saved();
}

test('every time is in its bucket, buckets have no gaps, and no bucket is wider than 1/64', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 37 }), (us) => {
      const { first, last } = bucketRangeUs(bucketOf(us));
      expect(first).toBeLessThanOrEqual(us);
      expect(last).toBeGreaterThanOrEqual(us);
      expect((last - first) * 64).toBeLessThanOrEqual(first);
      expect(bucketRangeUs(bucketOf(last + 1)).first).toBe(last + 1);
    }),
  );
});

test('small times are exact, and so are mean, minimum and maximum', () => {
  const saved = histogramOf([0.001, 0.002, 0.003, 0.004]);
  expect(quantileMs(saved, 0.5)).toBe(0.002);
  expect(quantileMs(saved, 0.75)).toBe(0.003);
  expect(quantileMs(saved, 0)).toBe(0.001);
  expect(quantileMs(saved, 1)).toBe(0.004);
  expect(meanMs(saved)).toBeCloseTo(0.0025, 12);
  expect(saved).toMatchObject({
    count: 4,
    minMs: 0.001,
    maxMs: 0.004,
    buckets: [1, 1, 2, 1, 3, 1, 4, 1],
  });
});

test('without times the statistics are null', () => {
  const saved = histogramOf([]);
  expect(saved).toEqual({ count: 0, sumMs: 0, minMs: null, maxMs: null, buckets: [] });
  expect(quantileMs(saved, 0.5)).toBeNull();
  expect(meanMs(saved)).toBeNull();
});

test('quantiles agree with the HdrHistogram of Node.js within the width of a bucket', () => {
  const random = createRandom(7);
  const times = Array.from({ length: 20_000 }, () => Math.exp(6 * random() ** 2) - 0.9);
  const theirs = createHistogram({ figures: 5 });
  for (const time of times) theirs.record(Math.max(1, Math.round(time * 1000)));
  const ours = histogramOf(times);
  for (const percent of [1, 50, 90, 95, 99, 99.9]) {
    const other = theirs.percentile(percent) / 1000;
    expect(Math.abs((quantileMs(ours, percent / 100) ?? 0) / other - 1)).toBeLessThan(0.01);
  }
});

test('merged histograms equal the histogram of all times', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 20 }), {
        maxLength: 5,
      }),
      (parts) => {
        const times = parts.map((part) => part.map((us) => us / 1000));
        const merged = mergedHistogram(times.map(histogramOf));
        const whole = histogramOf(times.flat());
        expect({ ...merged, sumMs: 0 }).toEqual({ ...whole, sumMs: 0 });
        expect(merged.sumMs).toBeCloseTo(whole.sumMs, 2);
      },
    ),
  );
});
