import { parseDictionary } from 'structured-headers';
import { expect, test } from 'vitest';
import { useAsDictionary } from './use-as-dictionary.ts';

test('the header equals that of RFC 9842 section 2.1', () => {
  const value = useAsDictionary({ match: '/product/*', id: 'dictionary-12345' });
  expect(value).toBe('match="/product/*", id="dictionary-12345"');
});

test('an id with quotes is escaped correctly', () => {
  const value = useAsDictionary({ match: '/a', id: 'dictionary "one"' });
  expect(parseDictionary(value).get('id')?.[0]).toBe('dictionary "one"');
});

test.each(['/a/(\\d+)', '/a/:id(\\d+)', '/a/{'])('the pattern %s is refused', (match) => {
  expect(() => useAsDictionary({ match, id: 'a' })).toThrow(/regexp groups/);
});
