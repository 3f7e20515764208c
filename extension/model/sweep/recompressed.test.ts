import { expect, test } from 'vitest';
import { recompressionOf } from './recompressed.ts';
import type { StoredEntry } from './run.ts';

function entry(change: Partial<StoredEntry>): StoredEntry {
  const sizes = { wireBytes: 10, storedBytes: 1_000_700, decodedBytes: 1_000_000 };
  return { arm: 'dcb', variant: 'recompressed', url: '/', ...sizes, ...change };
}

test.each([
  [[entry({ storedBytes: 300_000 })], true],
  [[entry({}), entry({ storedBytes: 900_000 })], true],
  // Incompressible bytes, and a browser that does not support the features.
  [[entry({}), entry({ storedBytes: 950_000 })], false],
  [[entry({ storedBytes: null })], false],
])('%j: recompression works is %s', (stored, works) =>
  expect(recompressionOf(stored)?.works).toBe(works),
);

test('other arms, and the unchanged browser, do not show whether recompression works', () => {
  const others = [entry({ arm: 'br', storedBytes: 10 }), entry({ variant: undefined })];
  expect(recompressionOf(others)).toBeNull();
});
