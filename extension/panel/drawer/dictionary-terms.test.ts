import { expect, test } from 'vitest';
import { usedTerms } from './dictionary-terms.ts';

const used = { coding: 'dcb', hash: null, id: null, dictionary: null, isFromCache: false } as const;
const says = (change: Partial<Parameters<typeof usedTerms>[0]>) =>
  usedTerms({ ...used, ...change }).map(([, value]) => value);

test('the dictionary of a cached response is unknown, not missing from the loads', () => {
  const unread = 'unknown: a read from a cache does not show it';
  expect(says({ isFromCache: true })).toEqual([unread, unread]);
});

test('the dictionary of a response from the network', () => {
  expect(says({ hash: 'ab', id: 'x' })).toEqual(['not in the loads that are kept', 'ab', 'x']);
  expect(says({})[1]).toBe('unknown: the request headers were not observed');
});
