import { expect, test } from 'vitest';
import { normalQuantile } from '../statistics/normal.ts';
import { measuredDevice, predictedP95, type ReadChain, tailOf } from './read-tail.ts';

const chain: ReadChain = { baseMs: 0, serialReads: 1, residualsMs: [0], transferMs: 0 };
const oneState = {};
const stalling = { stalls: { read: { kind: 'constant', ms: 1 }, begin: 0.1, end: 0.1 } } as const;

test('a tail is unknown below the number of values that it needs', () => {
  expect(tailOf([])).toEqual({ medianMs: null, p95Ms: null, p99Ms: null });
  expect(tailOf([1, 3])).toEqual({ medianMs: 2, p95Ms: null, p99Ms: null });
  const hundredOne = Array.from({ length: 101 }, (_, index) => index);
  expect(tailOf(hundredOne)).toEqual({ medianMs: 50, p95Ms: 95, p99Ms: 99 });
  expect(tailOf(hundredOne.slice(0, 20)).p99Ms).toBeNull();
});

test('on a device of one latency a read takes base, reads and transfer, also of a fraction of a read', () => {
  const read = { ...chain, baseMs: 5, serialReads: 3.5, transferMs: 1 };
  for (const profile of [oneState, stalling])
    expect(predictedP95(read, measuredDevice([[2, 2]], profile), 1)).toBeCloseTo(13, 9);
  expect(predictedP95({ ...read, serialReads: 0 }, measuredDevice([[2]], oneState), 1)).toBe(6);
  expect(predictedP95(read, measuredDevice([[]], oneState), 1)).toBeNull();
});

test('with two latencies the p95 is that of the binomial distribution', () => {
  // One read in ten takes 10 ms; P(at most n slow of k) from the binomial distribution, p = 0.1.
  const device = measuredDevice([[0, 0, 0, 0, 0, 0, 0, 0, 0, 10]], oneState);
  const slow = [1, 3, 5, 10, 20].map((serialReads) =>
    predictedP95({ ...chain, serialReads }, device, 7),
  );
  // k = 3: 0.972 at 1; 5: 0.9185 at 1, 0.9914 at 2; 10: 0.9298 at 2, 0.9872 at 3; 20: 0.9568 at 4.
  expect(slow).toEqual([10, 10, 20, 30, 40]);
});

test('reads of a stall follow each other, and independent draws would miss that', () => {
  const times = [...Array.from({ length: 90 }, () => 0), ...Array.from({ length: 10 }, () => 10)];
  const read = { ...chain, serialReads: 5 };
  // A chain lies in the stall with all 5 reads in 6 of 100 places.
  expect(predictedP95(read, measuredDevice([times], stalling), 3)).toBe(50);
  expect(predictedP95(read, measuredDevice([times], oneState), 3)).toBe(20);
});

test('the sum of log-normal latencies has the p95 of their numeric convolution', () => {
  const table = Array.from(
    { length: 1024 },
    (_, step) => 2 * Math.exp(0.8 * normalQuantile((step + 0.5) / 1024)),
  );
  const stepMs = 0.02;
  const exact = 9;
  // Probability by time in steps, convolved with itself.
  const single = new Float64Array(4000);
  for (const ms of table) {
    const at = Math.round(ms / stepMs);
    single[at] = (single[at] ?? 0) + 1 / table.length;
  }
  let sum = Float64Array.of(1);
  for (let reads = 0; reads < exact; reads++) {
    const next = new Float64Array(8000);
    for (const [at, share] of sum.entries())
      if (share > 0)
        for (const [more, chance] of single.entries())
          if (chance > 0 && at + more < next.length) next[at + more]! += share * chance;
    sum = next;
  }
  let passed = 0;
  const p95Ms = stepMs * sum.findIndex((share) => (passed += share) >= 0.95);
  const predicted = predictedP95(
    { ...chain, serialReads: exact },
    measuredDevice([table], oneState),
    5,
  );
  expect(predicted).toBeGreaterThan(0.98 * p95Ms);
  expect(predicted).toBeLessThan(1.02 * p95Ms);
});
