import { expect, test } from 'vitest';
import { maySteer, printable, printableJson, printableLines, printableValue } from './printable.ts';

test('escapes, line breaks and direction marks lose their effect; letters of all scripts stay', () => {
  expect(printable('a\u001b[31mb\nc\u202ed\u2028e\u{e0001}')).toBe(
    String.raw`a\u{1b}[31mb\nc\u{202e}d\u{2028}e\u{e0001}`,
  );
  expect(printable('größe/日本/%20')).toBe('größe/日本/%20');
});

test('lines stay lines, and JSON stays the same value', () => {
  expect(printableLines('a\u001b\nb\u009b')).toBe('a\\u{1b}\nb\\u{9b}');
  const value = { name: 'a\u009b\u202e\u{E0001}b' };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(json).toContain('\n');
  expect(json).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(json)).toEqual(value);
});

test.each([
  '::error::x',
  '  ::set-output name=a::b',
  '##[error]x',
  '##vso[task.x]',
  '::add-mask::1',
])('a CI system does not take a line for its command: %s', (command) => {
  const [first = '', second = ''] = printableLines(`ok\n${command}`).split('\n').toReversed();
  expect(first.trimStart()).toMatch(/^\\[:#]/);
  expect(second).toBe('ok');
});

test('a value has its texts in one line each, at any depth; one without such characters is the same object', () => {
  const value = { a: ['x\ny', { b: '\u202e', c: null, d: 1.5, e: undefined }] };
  expect(printableValue(value)).toEqual({
    a: [String.raw`x\ny`, { b: String.raw`\u{202e}`, c: null, d: 1.5 }],
  });
  const plain = { a: 'größe' };
  expect(printableValue(plain)).toBe(plain);
  expect(maySteer(JSON.stringify(value))).toBe(true);
});
