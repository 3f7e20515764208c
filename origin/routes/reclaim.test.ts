import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { encode } from '../encoding/encoder.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import { type Variant, VariantStore } from '../encoding/variants.ts';
import { LimitedStore } from '../store/limited-store.ts';
import { leastRecentlyWritten } from '../store/lrw.ts';
import { reclaimRoutes } from './reclaim.ts';

function served(entries = 2) {
  const store = new LimitedStore<Variant>({ limit: { entries }, policy: leastRecentlyWritten() });
  let encodings = 0;
  const counting: typeof encode = (...how) => {
    encodings++;
    return encode(...how);
  };
  const server = fastify();
  reclaimRoutes(server, new VariantStore(defaultQualities, counting, store));
  return {
    server,
    store,
    get encodings() {
      return encodings;
    },
  };
}

test('an item has its size, begins with its key, and is encoded once while it is stored', async () => {
  const { server, store } = served();
  const first = await server.inject('/reclaim/items/n1?bytes=1000');
  const again = await server.inject('/reclaim/items/n1?bytes=1000');
  expect(first.statusCode).toBe(200);
  expect(first.rawPayload.byteLength).toBe(1000);
  expect(first.payload.startsWith('n1\n')).toBe(true);
  expect(again.payload).toBe(first.payload);
  expect([first, again].map(({ headers }) => headers['cache-status'])).toEqual([
    'cachescope; fwd=miss',
    'cachescope; hit',
  ]);
  expect([first, again].map(({ headers }) => headers['cachescope-answer'])).toEqual(['0', '1']);
  expect([store.entries, store.bytes]).toEqual([1, 1000]);
});

test('with gzip it is the same text, compressed, and the store counts the stored bytes', async () => {
  const { server, store } = served();
  const plain = await server.inject('/reclaim/items/z7?bytes=20000');
  const gzip = await server.inject('/reclaim/items/z7?bytes=20000&coding=gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(gzip.rawPayload.byteLength).toBeLessThan(10_000);
  expect(store.bytes).toBe(20_000 + gzip.rawPayload.byteLength);
});

test('concurrent requests share one encoding, and none of them is a hit', async () => {
  const app = served();
  const url = '/reclaim/items/a?bytes=5000&coding=gzip&delay=5';
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.server.inject(url)));
  expect(app.encodings).toBe(1);
  expect(new Set(answers.map(({ headers }) => headers['cache-status']))).toEqual(
    new Set(['cachescope; fwd=miss']),
  );
});

test('an evicted item is encoded again', async () => {
  const app = served(1);
  for (const key of ['a', 'b', 'a']) await app.server.inject(`/reclaim/items/${key}?bytes=10`);
  expect(app.encodings).toBe(3);
  expect(app.store.entries).toBe(1);
});

test.each([
  '/reclaim/items/a?bytes=-1',
  '/reclaim/items/a?bytes=1e9',
  '/reclaim/items/a?coding=br',
  '/reclaim/items/a?delay=100000',
  '/reclaim/items/..%2f',
])('refuses %s', async (url) => {
  const { server } = served();
  expect((await server.inject(url)).statusCode).toBe(400);
});
