import { expect, test } from 'vitest';
import { edgeUnderTest } from './edge-under-test.ts';
import { edgeModes } from './edge.ts';
import { GrowingBody } from './growing-body.ts';
import { entryBytes, ResponseStore } from './response-store.ts';
import type { StoredResponse } from './stored-response.ts';

function responseOf(text: string): StoredResponse {
  const body = new GrowingBody(true, () => undefined);
  if (text !== '') body.add(Buffer.from(text), () => undefined);
  const freshness = { cameAt: 0, initialAgeMs: 0, lifetimeMs: 1000, mayStore: true };
  return { status: 200, headers: {}, body, lengthBytes: null, ...freshness, varied: new Map() };
}

test('a response removed while it arrives is no longer kept, whatever removes it', () => {
  const store = new ResponseStore(10 * entryBytes);
  const leaving = [
    (target: string) => store.invalidate(target),
    (target: string) => store.add(target, responseOf('new'), {}),
  ];
  leaving.forEach((leave, index) => {
    const response = responseOf('half');
    store.add(`/${index}`, response, {});
    leave(`/${index}`);
    expect(response.body.isKept).toBe(false);
  });
});

test('empty responses count against the limit too', () => {
  const store = new ResponseStore(3 * entryBytes);
  for (let index = 0; index < 10; index++) {
    const response = responseOf('');
    response.body.end('complete');
    store.add(`/${index}`, response, {});
  }
  const found = Array.from({ length: 10 }, (_, index) => store.find(`/${index}`, {}) !== null);
  expect(found.map((is) => (is ? 1 : 0)).join('')).toBe('0000000111');
});

test('a held response counts, is not found, and counts once after it is added', () => {
  const store = new ResponseStore(entryBytes + 10);
  const response = responseOf('');
  store.hold('/a', response);
  expect([store.holds('/a'), store.holds('/b')]).toEqual([true, false]);
  response.body.add(Buffer.from('12345678'), () => undefined);
  store.grew(response, 8);
  expect(store.bytes).toBe(8);
  expect(store.find('/a', {})).toBeNull();
  response.body.end('complete');
  store.add('/a', response, {});
  expect(store.bytes).toBe(8);
  expect(store.find('/a', {})).toBe(response);
  expect(store.holds('/a')).toBe(false);
});

test('a held response is removed when its target is invalidated', () => {
  const store = new ResponseStore(10 * entryBytes);
  const response = responseOf('half');
  store.hold('/a', response);
  store.invalidate('/b');
  expect(store.holds('/a')).toBe(true);
  store.invalidate('/a');
  expect([store.holds('/a'), store.bytes, response.body.isKept]).toEqual([false, 0, false]);
  expect(store.remove(response)).toBe(false);
});

test.each(edgeModes)('%s: concurrently arriving bodies stay within the limit', async (mode) => {
  const size = 1000;
  const limitBytes = 2 * (entryBytes + size);
  const edge = await edgeUnderTest({ mode, limitBytes });
  const paths = ['/a', '/b', '/c', '/d'];
  const readings = paths.map((path) => edge.read(path));
  await edge.until(paths.length);
  const headers = { 'cache-control': 'max-age=60', 'content-length': `${size}` };
  for (const { response } of edge.asked) {
    response.writeHead(200, headers).write('x'.repeat(size - 1));
  }
  const answers = await Promise.all(readings);
  await expect.poll(() => answers.every((answer) => answer.text().length === size - 1)).toBe(true);
  expect(edge.storedBytes()).toBe(2 * (size - 1));
  for (const { response } of edge.asked) response.end('x');
  for (const { whole } of answers) expect((await whole).length).toBe(size);
  expect(edge.storedBytes()).toBe(2 * size);
  // A response that had to be removed can be stored when it is fetched again.
  const again = edge.read('/d');
  (await edge.until(5)).response.writeHead(200, headers).end('x'.repeat(size));
  expect((await (await again).whole).length).toBe(size);
  expect((await edge.read('/d')).headers['cache-status']).toBe('cachescope-edge; hit');
});
