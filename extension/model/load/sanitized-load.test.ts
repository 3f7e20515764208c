import { harOf } from '@cachescope/model/har/export.ts';
import { loadDocumentText } from '@cachescope/model/load/document.ts';
import { expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { sanitizedLoad } from './sanitized-load.ts';

const [first, second] = madeUpLoad({ count: 2 }).resources;
if (!first || !second) throw new Error('no resources were made up');
const load = {
  ...madeUpLoad({ count: 2 }),
  resources: [
    {
      ...first,
      requestHeaders: [
        ['Cookie', 'session=hidden-1'],
        ['authorization', 'Bearer hidden-2'],
        ['Proxy-Authorization', 'Basic hidden-3'],
        ['Accept', '*/*'],
      ] as [string, string][],
      responseHeaders: [
        ['SET-COOKIE', 'session=hidden-4'],
        ['ETag', '"kept"'],
      ] as [string, string][],
    },
    second,
  ],
};

test('no file made from a sanitized load contains cookies or credentials', () => {
  const sanitized = sanitizedLoad(load);
  for (const text of [JSON.stringify(harOf([sanitized], '1')), loadDocumentText([sanitized])]) {
    expect(text).not.toContain('hidden');
    expect(text).toContain('kept');
  }
  expect(JSON.stringify(harOf([load], '1'))).toContain('hidden-4');
});

test('unknown headers stay unknown, and everything else is unchanged', () => {
  const [, kept] = sanitizedLoad(load).resources;
  expect(kept).toEqual(second);
});
