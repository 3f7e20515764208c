import { expect, test } from 'vitest';
import { cached, dictionaryUrl, load, plain, resource } from '../fixtures/dictionary-loads.ts';
import { offeredDictionary } from './known.ts';

test('a response offers a dictionary by its own header field only', () => {
  const offer = { ...cached, 'use-as-dictionary': 'match="/*"' };
  const offering = resource(dictionaryUrl, plain, offer);
  const other = resource(dictionaryUrl, plain, cached);
  const both = load([offering, other]);
  expect(offeredDictionary(offering, both)?.offer?.match).toBe('/*');
  expect(offeredDictionary(other, both)).toBeNull();
  const { responseHeaders: _, ...unread } = offering;
  expect(offeredDictionary(unread, both)).toBeNull();
});
