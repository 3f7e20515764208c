import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checked, parsedJson } from './parsed.ts';

test('each problem names the file and the location', () => {
  const schema = z.object({ a: z.array(z.number()) });
  expect(checked('f.json', schema, { a: [1, 'x'] })).toEqual({
    problems: ['f.json: a.1: Invalid input: expected number, received string'],
  });
  expect(checked('f.json', schema, 1)).toMatchObject({
    problems: [expect.stringContaining('f.json: the whole: ')],
  });
});

test('more problems than can be listed are one problem, not an exception', () => {
  const overflowing = {
    safeParse: () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  expect(checked('f.json', overflowing, 1)).toEqual({
    problems: ['f.json has more problems than can be listed.'],
  });
  const many = Array.from({ length: 150_000 }, () => 'x');
  expect(checked('f.json', z.array(z.number()), many)).toHaveProperty('problems');
});

test('an empty or malformed JSON text is a problem', () => {
  expect(parsedJson('f.json', ' ')).toEqual({ problems: ['f.json is empty.'] });
  expect(parsedJson('f.log', '\n{"a":1}\n{"a":2}\n')).toEqual({
    problems: [expect.stringContaining('as in a log in JSON Lines')],
  });
  expect(parsedJson('f.json', '{"a":\n1}')).toEqual({ value: { a: 1 } });
  expect(parsedJson('f.json', '{')).toMatchObject({
    problems: [expect.stringContaining('f.json is not JSON')],
  });
});

test('any text is read or refused, without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(Object.keys(parsedJson('f.json', text))).toHaveLength(1);
    }),
  );
});
