import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { busyMs, serialChain, serialReadsOf } from './device-read.ts';

const read = (startMs: number, endMs: number) => ({ startMs, endMs });

/** The 13 requests of a 1 MB hit at 5 ms, from the kernel's block tracepoints: three small, then read-ahead windows. */
const thirteen = [
  read(0, 5.4),
  read(5.5, 10.9),
  read(11, 16.4),
  read(16.8, 22.6),
  read(23.1, 28.9),
  read(23.2, 29),
  read(29.5, 35.2),
  read(29.6, 35.3),
  read(35.9, 41.5),
  read(42, 47.7),
  read(42.1, 47.8),
  read(48.2, 53.9),
  read(54.3, 59.8),
];

test('thirteen requests of which three pairs overlap are ten serial reads', () => {
  expect(serialReadsOf(thirteen)).toBe(10);
});

test('reads that all overlap are one serial read; reads that touch are two', () => {
  expect(serialReadsOf([read(0, 5), read(1, 6), read(4, 9)])).toBe(1);
  expect(serialReadsOf([read(0, 5), read(5, 10)])).toBe(2);
});

test('no reads are no serial reads, and unknown reads an unknown number', () => {
  expect(serialReadsOf([])).toBe(0);
  expect(serialReadsOf(null)).toBeNull();
});

test('a long read does not hide the short reads that it overlaps', () => {
  expect(serialReadsOf([read(0, 100), read(0, 5), read(5, 9), read(20, 30)])).toBe(3);
});

const someReads = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 10 }))
    .map(([start, length]) => read(start, start + length)),
  { maxLength: 9 },
);

/** The longest chain, found by trying every subset of the reads. */
function longestByTrial(reads: readonly { startMs: number; endMs: number }[]): number {
  let longest = 0;
  for (let choice = 0; choice < 2 ** reads.length; choice++) {
    const chosen = reads
      .filter((_, index) => choice & (1 << index))
      .toSorted((one, other) => one.startMs - other.startMs);
    const isChain = chosen.every(
      ({ startMs }, index) => index === 0 || startMs >= (chosen[index - 1]?.endMs ?? 0),
    );
    if (isChain) longest = Math.max(longest, chosen.length);
  }
  return longest;
}

test('no subset of the reads is a longer chain', () => {
  fc.assert(
    fc.property(someReads, (reads) => {
      expect(serialReadsOf(reads)).toBe(longestByTrial(reads));
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('each read of the chain begins after the one before ended', () => {
  const chain = serialChain(thirteen);
  for (const [index, { startMs }] of chain.slice(1).entries())
    expect(startMs).toBeGreaterThanOrEqual(chain[index]?.endMs ?? Number.NaN);
});

test('time with several reads in flight counts once', () => {
  expect(busyMs([read(0, 5), read(1, 3), read(4, 9), read(20, 21)])).toBe(10);
  expect(busyMs([])).toBe(0);
});
