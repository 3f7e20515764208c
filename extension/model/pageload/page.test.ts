import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entry, har } from '../fixtures/har.ts';
import { readHarPage } from './har.ts';
import { readListPage } from './list.ts';
import { pageProblems, resourceName } from './page.ts';
import { madeUpResource } from '../fixtures/pageload.ts';

test.each([
  ['https://site.example/js/app.min.js?v=1#top', 'app.min.js'],
  ['https://site.example/', 'index'],
  ['https://site.example/a/..', 'index'],
  ['https://site.example/...', 'index'],
  ['https://site.example/a b"<c>.js', 'a_b__c_.js'],
])('%s is named %s', (url, name) => {
  expect(resourceName(url)).toBe(name);
});

test('a name is unchanged in the path of a URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 90 }), (path) => {
      const name = resourceName(`https://site.example/${path}`);
      const served = `/pageload/new/7/${name}`;
      expect(new URL(served, 'http://127.0.0.1').pathname).toBe(served);
      expect(name.length).toBeLessThanOrEqual(60);
    }),
  );
});

test('any archive or list is read or refused, and parents come before their children', () => {
  const odd = fc.jsonValue();
  const change = fc.record(
    { _initiator: odd, _priority: odd, _resourceType: odd, time: odd, timings: odd },
    { requiredKeys: [] },
  );
  const response = fc.record(
    { status: odd, headers: odd, content: odd, bodySize: odd },
    { requiredKeys: [] },
  );
  const entries = fc.array(
    fc
      .tuple(change, response, fc.webUrl())
      .map(([laid, over, url]) =>
        entry({ ...laid, request: { method: 'GET', url, headers: [] } }, over),
      ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.oneof(entries, odd), fc.string(), (list, text) => {
      for (const parsed of [
        readHarPage({ name: 'x.har', json: har(list) }, 'recorded'),
        readListPage({ name: 'x.txt', text }),
      ]) {
        if ('problems' in parsed) expect(parsed.problems.length).toBeGreaterThan(0);
        else
          for (const [place, { parent }] of parsed.value.page.resources.entries())
            expect(place === 0 ? parent === null : parent !== null && parent < place).toBe(true);
      }
    }),
  );
});

test('a page with too many resources or too many bytes is refused', () => {
  const many = (count: number, bodyBytes: number) =>
    Array.from({ length: count }, () => madeUpResource({ bodyBytes }));
  expect(pageProblems('x', many(5001, 1))[0]).toContain('5001 resources; at most 5000');
  expect(pageProblems('x', many(9, 64 * 1024 ** 2))[0]).toContain('603979776 bytes together');
  expect(pageProblems('x', many(8, 64 * 1024 ** 2))).toEqual([]);
});
