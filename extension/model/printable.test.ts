import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('escapes, new lines and marks of direction lose their effect, letters of all scripts stay', () => {
  expect(printable('a\u001b[31mb\nc\u202ed\u2028e')).toBe('a?[31mb?c?d?e');
  expect(printable('größe/日本/%20')).toBe('größe/日本/%20');
});
