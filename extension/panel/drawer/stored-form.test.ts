import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import { madeUpUse } from '@cachescope/model/fixtures/made-up-explore.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { expect, test } from 'vitest';
import { storedForm } from './stored-form.ts';

const url = 'https://a.example/b.js';
const fromNetwork = { ...madeUpUse(url, 'network'), responseHeaders: [] };
const headers = (cacheControl: string): Pick<Resource, 'responseHeaders'> => ({
  responseHeaders: [['Cache-Control', cacheControl]],
});

function form(change: Partial<Resource>, use: Resource = fromNetwork) {
  const resource = { ...use, ...change };
  return storedForm({ resource, attribution: attribute(resource.evidence) });
}

test.each([
  ['as received', {}, '≈ 1,000 B'],
  ['decoded', { coding: 'dcb' }, '≈ 3.91 KiB'],
  ['identity', { coding: 'identity', encodedBytes: null }, '≈ 3.91 KiB'],
  ['the size of its file', { storedBytes: 2048, method: 'POST' }, '2 KiB'],
  ['fresh for a minute', headers('max-age=60'), '≈ 1,000 B'],
  ['no-store', headers('max-age=0, No-Store'), 'not stored'],
  ['a POST by fetch', { method: 'POST', type: 'fetch' as const }, 'not stored'],
  ['a form', { method: 'POST', type: 'document' as const }, '–'],
  ['a part', { status: 206 }, '–'],
  ['an unknown coding', { coding: null }, '–'],
  ['an unknown size', { encodedBytes: null }, '–'],
  ['a data: URL', { url: 'data:,x', evidence: { scheme: 'data' } }, 'not stored'],
  ['blocked', { evidence: { page: { timing: null, blockedBy: 'script-src' } } }, 'not stored'],
  ['no evidence', { evidence: {} }, '–'],
] as const)('%s', (_, change, text) => {
  expect(form(change as Partial<Resource>).text).toBe(text);
});

test('without header fields only a hit of the HTTP cache shows that a response is stored', () => {
  expect(form({}, madeUpUse(url, 'network'))).toEqual({
    text: '–',
    says: 'Unknown: its Cache-Control is not known',
  });
  expect(form({}, madeUpUse(url, 'disk')).text).toBe('≈ 1,000 B');
});

test('a decoded size is that of a browser without HttpCacheZstdCompression', () => {
  expect(form({ coding: 'dcz' }).says).toContain('HttpCacheZstdCompression');
  expect(form({ coding: 'identity' }).says).toContain('as received');
});
