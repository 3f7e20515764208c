import { expect, test } from 'vitest';
import { smallestStep } from './timer-step.ts';

/** A clock that goes through these times, again and again each one second later. */
function clock(times: readonly number[]): () => number {
  let reads = 0;
  return () => {
    const read = reads++;
    return (times[read % times.length] ?? 0) + 1000 * Math.floor(read / times.length);
  };
}

test('the smallest step of a clock is found between larger ones and standstill', () => {
  expect(smallestStep(clock([0, 0, 0.3, 0.3, 0.3, 0.5, 0.6, 0.9]))).toBe(0.1);
});

test('the noise of floating point is no step', () => {
  expect(smallestStep(clock([0, 0.1 + 0.2, 0.1 + 0.2 + 0.005]))).toBe(0.005);
});
