import { expect, test } from 'vitest';
import { boundsOf, sha256 } from './origin.ts';
import type { RawRead } from './read-in-page.ts';
import { bodyOf, violationsOf } from './safety.ts';
import type { Read } from './situation.ts';

const bodies = ['first', 'second'].map((text) => Buffer.from(text));
const origin = { body: (_: object, version: number) => bodies[version - 1] ?? Buffer.alloc(0) };
const raw = (text: string | null, more: Partial<RawRead> = {}): RawRead => ({
  status: 200,
  sha: text === null ? null : sha256(Buffer.from(text)),
  end: null,
  source: 'network',
  shown: [],
  ...more,
});
const sent = { answer: { changes: true }, latest: 2, current: 2, origin } as const;
const range: Read = { init: { headers: { Range: 'bytes=1-2' } } };

test.each<[string, RawRead, Read]>([
  ['whole', raw('second'), {}],
  ['older', raw('first'), {}],
  ['WRONG BYTES', raw('secund'), {}],
  ['WRONG BYTES', raw(''), {}],
  ['nothing', raw(''), { init: { method: 'HEAD' } }],
  ['bytes=1-2', raw('ec', { status: 206 }), range],
  ['WRONG BYTES', raw('second', { status: 206 }), range],
  ['failed: TypeError', raw(null, { end: 'TypeError' }), {}],
  ['opaque', raw(null, { end: 'opaque' }), {}],
])('%s', (body, read, how) => {
  expect(bodyOf(read, how, sent)).toBe(body);
});

test.each<[string, Read, RawRead, string, number | null, string[]]>([
  ['a stored response', {}, raw('a'), 'whole', 0, []],
  ['wrong bytes', {}, raw('b'), 'WRONG BYTES', 1, ['wrong-bytes']],
  ['a stale response, unasked', { must: 'ask' }, raw('a'), 'whole', 0, ['stale-as-fresh']],
  ['an older body, though asked', { must: 'ask' }, raw('a'), 'older', 1, ['stale-as-fresh']],
  ['a stale response, confirmed', { must: 'ask' }, raw('a'), 'whole', 1, []],
  ['one of several readers', { must: 'ask' }, raw('a'), 'whole', null, []],
  ['a body that it must not read', { must: 'fail' }, raw('a'), 'whole', 1, ['read-by-others']],
  ['a refused read', { must: 'fail' }, raw(null, { end: 'TypeError' }), 'failed: TypeError', 1, []],
  ['a lost response', {}, raw(null, { end: 'TypeError' }), 'failed: TypeError', 1, ['lost']],
  [
    'a dying origin',
    { mayFail: true },
    raw(null, { end: 'TypeError' }),
    'failed: TypeError',
    1,
    [],
  ],
  ['a lost POST', { init: { method: 'POST' } }, raw('a'), 'whole', 0, ['lost']],
])('%s', (_, read, result, body, requests, broken) => {
  expect(violationsOf(read, result, { body, requests })).toEqual(broken);
});

test('bounds of a range: RFC 9110, section 14.1.2', () => {
  expect(boundsOf('bytes=1000-1999', 10_000)).toEqual([1000, 2000]);
  expect(boundsOf('bytes=5000-', 10_000)).toEqual([5000, 10_000]);
  expect(boundsOf('bytes=-500', 10_000)).toEqual([9500, 10_000]);
  expect(boundsOf('bytes=0-9,20-29', 10_000)).toBeNull();
  expect(boundsOf('bytes=-', 10_000)).toBeNull();
  expect(boundsOf('', 10_000)).toBeNull();
});
