import { expect, test } from 'vitest';
import { decodedCoding } from './coding.ts';

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['BR', 'br'],
  ['x-gzip', 'x-gzip'],
  ['gzip, br', 'gzip, br'],
  ['identity, gzip', 'gzip'],
  [', br', 'identity'],
  ['aws-chunked', 'identity'],
  ['aws-chunked,gzip', 'identity'],
])('of a body whose field says %s, %s is decoded', (field, coding) => {
  expect(decodedCoding(field)).toBe(coding);
});
