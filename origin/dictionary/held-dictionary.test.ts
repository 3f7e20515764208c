import { expect, test } from 'vitest';
import { holdsDictionary } from './held-dictionary.ts';

const dictionary = { sha256: 'aa', id: 'pdfjs' };

test.each([
  ['hash and id', { availableDictionary: 'aa', dictionaryId: 'pdfjs' }, true],
  ['the hash alone', { availableDictionary: 'aa', dictionaryId: null }, true],
  ['the hash, and another id', { availableDictionary: 'aa', dictionaryId: 'three' }, false],
  ['the id alone', { availableDictionary: null, dictionaryId: 'pdfjs' }, false],
  ['the id, and another hash', { availableDictionary: 'bb', dictionaryId: 'pdfjs' }, false],
])('a request with %s', (_situation, held, holds) => {
  expect(holdsDictionary(held, dictionary)).toBe(holds);
});
