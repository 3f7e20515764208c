import { expect, test } from 'vitest';
import { printable, printableJson, printableLines } from './printable.ts';

test('escapes, line breaks and direction marks lose their effect; letters of all scripts stay', () => {
  expect(printable('a\u001b[31mb\nc\u202ed\u2028e')).toBe('a?[31mb?c?d?e');
  expect(printable('größe/日本/%20')).toBe('größe/日本/%20');
});

test('lines stay lines, and JSON stays the same value', () => {
  expect(printableLines('a\u001b\nb\u009b')).toBe('a?\nb?');
  const value = { name: 'a\u009b\u202e\u{E0001}b' };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(json).toContain('\n');
  expect(json).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(json)).toEqual(value);
});
