import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checked, parsedJson } from './parsed.ts';

test('each problem names the file and the place', () => {
  const schema = z.object({ a: z.array(z.number()) });
  expect(checked('f.json', schema, { a: [1, 'x'] })).toEqual({
    problems: ['f.json: a.1: Invalid input: expected number, received string'],
  });
  expect(checked('f.json', schema, 1)).toMatchObject({
    problems: [expect.stringContaining('f.json: the whole: ')],
  });
});

test('a text that is empty or no JSON is a problem', () => {
  expect(parsedJson('f.json', ' ')).toEqual({ problems: ['f.json is empty.'] });
  expect(parsedJson('f.json', '{')).toMatchObject({
    problems: [expect.stringContaining('f.json is not JSON')],
  });
});
