import { expect, test } from 'vitest';
import { page } from '../fixtures/observed-load.ts';
import { join } from '../fixtures/observed-load.ts';
import { fetchCall } from './fetch-call.ts';
import type { Resource } from './load.ts';

const resource = (more: Partial<Resource>): Resource => ({
  ...join([page('a', 1)]).resources[0]!,
  url: 'https://a.example/a?b',
  method: 'GET',
  ...more,
});

/** What a call passes to `fetch`. */
function passedBy(call: string | null): [string, RequestInit] {
  const passed: unknown[] = [];
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is the program under test
  new Function('fetch', call ?? '')((...given: unknown[]) => passed.push(...given));
  return passed as [string, RequestInit];
}

test('a call sends what a script may send, and no secret', () => {
  const requestHeaders: [string, string][] = [
    [':authority', 'a.example'],
    ['Accept', 'text/"quoted"'],
    ['Accept-Encoding', 'br'],
    ['Cookie', 'secret=1'],
    ['Authorization', 'Bearer secret'],
    ['Sec-Fetch-Mode', 'cors'],
    ['X-Own', 'line\u2028'],
  ];
  const call = fetchCall(resource({ requestHeaders, method: 'PUT' }));
  expect(call).not.toContain('secret');
  expect(passedBy(call)).toEqual([
    'https://a.example/a?b',
    {
      method: 'PUT',
      headers: { Accept: 'text/"quoted"', 'X-Own': 'line\u2028' },
      credentials: 'include',
    },
  ]);
});

test('without header fields, after redirects, and for a URL that fetch() does not request here', () => {
  const [url, init] = passedBy(fetchCall(resource({ finalUrl: 'https://b.example/`${1}' })));
  expect([url, init]).toEqual(['https://b.example/`${1}', { headers: {}, credentials: 'omit' }]);
  expect(fetchCall(resource({ url: 'data:,a' }))).toBeNull();
});
