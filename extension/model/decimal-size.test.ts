import { expect, test } from 'vitest';
import { readDecimalSize } from './decimal-size.ts';

const largestBytes = 64 * 1024 ** 2;

test.each([
  ['800', 800],
  ['35k', 35_000],
  ['2M', 2_000_000],
  // What a multiplication in binary makes no whole number of.
  ['32.3k', 32_300],
  ['64.1k', 64_100],
  ['2.01k', 2010],
  ['1.000001m', 1_000_001],
  ['2.50', null],
  ['2.00', 2],
])('%s', (text, bytes) => expect(readDecimalSize(text, largestBytes)).toBe(bytes));

test('all thousandths of a thousand are whole', () => {
  const sizes = Array.from({ length: 99_999 }, (_, index) => index + 1);
  const strange = sizes.filter(
    (bytes) => readDecimalSize(`${(bytes / 1000).toFixed(3)}k`, largestBytes) !== bytes,
  );
  expect(strange).toEqual([]);
});

test.each(['1.0001k', '2.0000001m', '0.5', '0', '-1', '', 'k', '.5k', '1kb', '1e3', '65m'])(
  '%s is refused',
  (text) => expect(readDecimalSize(text, 64_000_000)).toBeNull(),
);
