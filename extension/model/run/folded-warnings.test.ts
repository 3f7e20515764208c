import { expect, test } from 'vitest';
import { foldedWarnings } from './folded-warnings.ts';

const late = (tookMs: string, askedMs: number): string =>
  `Measured delay of a 4 KiB read: ${tookMs} ms; requested: ${askedMs} ms.`;

test('warnings that differ only in numbers are combined, with ranges and count', () => {
  const warnings = [late('9.32', 7), 'The log was cut.', late('1,010.50', 10), late('12.00', 10)];
  expect(foldedWarnings(warnings)).toEqual([
    'Measured delay of a 4 KiB read: 9.32 to 1,010.50 ms; requested: 7 to 10 ms. (3 times)',
    'The log was cut.',
  ]);
});

test('a repeated warning is combined, with its count', () => {
  expect(foldedWarnings(['The log was cut.', 'The log was cut.'])).toEqual([
    'The log was cut. (2 times)',
  ]);
});

test('warnings about different things stay separate, also when their names contain digits', () => {
  const warnings = [
    'arm h1 failed',
    'arm h2 failed',
    'Chrome/156.0.1.2 is old',
    'Chrome/157.0.1.2 is old',
    'http://127.0.0.1:8080/a is gone',
    'http://127.0.0.1:8081/a is gone',
  ];
  expect(foldedWarnings(warnings)).toEqual(warnings);
});

test('a single warning and an empty list are unchanged', () => {
  expect(foldedWarnings([late('9.32', 7)])).toEqual([late('9.32', 7)]);
  expect(foldedWarnings([])).toEqual([]);
});
