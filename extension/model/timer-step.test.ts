import { expect, test } from 'vitest';
import { smallestStep } from './timer-step.ts';

/** A clock that repeats these times, one second later each round. */
function clock(times: readonly number[]): () => number {
  let reads = 0;
  return () => {
    const read = reads++;
    return (times[read % times.length] ?? 0) + 1000 * Math.floor(read / times.length);
  };
}

test('the smallest step of a clock is found among larger steps and repeated values', () => {
  expect(smallestStep(clock([0, 0, 0.3, 0.3, 0.3, 0.5, 0.6, 0.9]))).toBe(0.1);
});

test('floating-point error is not a step', () => {
  expect(smallestStep(clock([0, 0.1 + 0.2, 0.1 + 0.2 + 0.005]))).toBe(0.005);
});
