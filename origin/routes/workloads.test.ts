import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import { codings } from '@cachescope/model/coding.ts';
import { expect, test } from 'vitest';
import { chromium, name, originUnderTest } from '../origin-under-test.ts';
import { dictionaryPath, probePath, resourcePath } from '../workloads/urls.ts';

const brotliWasm = createRequire(import.meta.url)('brotli-wasm') as {
  decompress(bytes: Uint8Array): Uint8Array;
};

/** Decodes like a client that has stored the workload's dictionary. */
function decoded(coding: string, body: Buffer): Uint8Array {
  const { dictionary } = under.workload;
  if (coding === 'gzip') return zlib.gunzipSync(body);
  if (coding === 'br') return brotliWasm.decompress(body);
  if (coding === 'zstd') return zlib.zstdDecompressSync(body);
  if (coding === 'dcb') return zlib.brotliDecompressSync(body.subarray(36), { dictionary });
  if (coding === 'dcz') return zlib.zstdDecompressSync(body, { dictionary });
  return body;
}

const under = originUnderTest();

test.each(codings)(
  'the arm %s is served with its coding, and every arm has the same decoded bytes',
  async (arm) => {
    const { statusCode, headers, rawPayload } = await under.get(
      resourcePath(name, arm),
      under.holder,
    );
    expect(statusCode).toBe(200);
    expect(headers['content-encoding']).toBe(arm === 'identity' ? undefined : arm);
    expect(headers['content-type']).toBe('text/javascript');
    expect(headers['content-length']).toBe(String(rawPayload.byteLength));
    expect(Buffer.compare(decoded(arm, rawPayload), under.workload.resource)).toBe(0);
  },
);

test('a client that has stored the dictionary gets dcb, any other client gets br', async () => {
  const dcb = await under.get(resourcePath(name), under.holder);
  expect(dcb.headers['content-encoding']).toBe('dcb');
  const br = await under.get(resourcePath(name), { 'accept-encoding': chromium });
  expect(br.headers['content-encoding']).toBe('br');
  expect(dcb.rawPayload.byteLength).toBeLessThan(br.rawPayload.byteLength / 5);
});

test.each([
  ['another hash', { 'available-dictionary': `:${Buffer.alloc(32).toString('base64')}:` }],
  ['an invalid hash', { 'available-dictionary': 'nonsense' }],
  ['an endless header', { 'available-dictionary': `:${'A'.repeat(10_000)}:` }],
  ['the id of another dictionary', { 'dictionary-id': '"other"' }],
  ['a page that may not read it', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a cross-site page without Origin', { 'sec-fetch-site': 'cross-site' }],
])('%s gets no dictionary coding, also where dcb is pinned', async (_situation, headers) => {
  const negotiated = await under.get(resourcePath(name), { ...under.holder, ...headers });
  expect(negotiated.headers['content-encoding']).toBe('br');
  expect(Buffer.compare(decoded('br', negotiated.rawPayload), under.workload.resource)).toBe(0);
  const pinned = await under.get(resourcePath(name, 'dcb'), { ...under.holder, ...headers });
  expect(pinned.headers['content-encoding']).toBeUndefined();
  expect(Buffer.compare(pinned.rawPayload, under.workload.resource)).toBe(0);
});

test('a cross-site page that may read the response gets dcb', async () => {
  const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://page.example' };
  const { headers } = await under.get(resourcePath(name), { ...under.holder, ...crossSite });
  expect(headers['content-encoding']).toBe('dcb');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['timing-allow-origin']).toBe('*');
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
});

test('a response that depends on the requesting page is private', async () => {
  const cachingOf = async (headers: Record<string, string>) =>
    (await under.get(resourcePath(name), headers)).headers['cache-control'];
  expect(await cachingOf({})).toMatch(/^public, /);
  expect(await cachingOf(under.holder)).toMatch(/^private, /);
  const opaque = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  expect(await cachingOf({ ...under.holder, ...opaque })).toMatch(/^private, /);
});

test('every negotiated response has Vary', async () => {
  const { etag } = (await under.get(resourcePath(name), under.holder)).headers;
  const answers = await Promise.all([
    under.get(resourcePath(name)),
    under.get(resourcePath(name), under.holder),
    under.get(resourcePath(name, 'gzip'), under.holder),
    under.get(resourcePath(name), { ...under.holder, 'if-none-match': String(etag) }),
    under.get(resourcePath(name), { 'accept-encoding': 'identity;q=0' }),
    under.get(dictionaryPath(name), under.holder),
    under.get(probePath(name, 0), under.holder),
    under.head(resourcePath(name), under.holder),
    under.get(resourcePath('nope'), under.holder),
  ]);
  expect(answers.map((answer) => answer.statusCode)).toEqual([
    200, 200, 200, 304, 406, 200, 200, 200, 404,
  ]);
  for (const { headers } of answers)
    expect(headers.vary).toBe('accept-encoding, available-dictionary, dictionary-id');
});

test('only the dictionary has Use-As-Dictionary, and its own response uses no dictionary', async () => {
  const { headers, rawPayload } = await under.get(dictionaryPath(name), under.holder);
  expect(headers['use-as-dictionary']).toBe(
    'match="/workloads/synthetic%3A20KiB/resource*", id="synthetic:20KiB"',
  );
  expect(headers['content-encoding']).toBe('br');
  expect(Buffer.compare(decoded('br', rawPayload), under.workload.dictionary)).toBe(0);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  for (const path of [resourcePath(name), resourcePath(name, 'dcb'), probePath(name, 0)]) {
    expect((await under.get(path, under.holder)).headers).not.toHaveProperty('use-as-dictionary');
  }
});

test('each variant has its own strong entity tag, which is revalidated with 304', async () => {
  const paths = codings.map((arm) => resourcePath(name, arm));
  const answers = await Promise.all(paths.map((path) => under.get(path, under.holder)));
  const etags = answers.map(({ headers }) => String(headers.etag));
  expect(new Set(etags).size).toBe(6);
  for (const [index, etag] of etags.entries()) {
    expect(etag).toMatch(/^"[^"]+"$/);
    const path = paths[index] ?? '';
    for (const condition of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const answer = await under.get(path, { ...under.holder, 'if-none-match': condition });
      expect([answer.statusCode, answer.rawPayload.byteLength]).toEqual([304, 0]);
      expect(answer.headers.etag).toBe(etag);
    }
    const answer = await under.get(path, { ...under.holder, 'if-none-match': '"another"' });
    expect(answer.statusCode).toBe(200);
    for (const [condition, status] of [
      [`"a", ${etag}`, 200],
      ['*', 200],
      ['"another"', 412],
      [`W/${etag}`, 412],
    ] as const) {
      const matched = await under.get(path, { ...under.holder, 'if-match': condition });
      expect(matched.statusCode).toBe(status);
    }
  }
});

test('HEAD has the header fields of GET and no body', async () => {
  const url = resourcePath(name, 'br');
  const full = await under.get(url, under.holder);
  const head = await under.head(url, under.holder);
  expect(head.rawPayload.byteLength).toBe(0);
  for (const field of ['content-length', 'content-encoding', 'etag', 'cache-control'])
    expect(head.headers[field], field).toBe(full.headers[field]);
  const known = { ...under.holder, 'if-none-match': String(full.headers.etag) };
  const confirmed = await under.head(url, known);
  expect([confirmed.statusCode, confirmed.headers['content-length']]).toEqual([304, undefined]);
});

test('a client that refuses every coding gets 406', async () => {
  const answer = await under.get(resourcePath(name, 'br'), { 'accept-encoding': '*;q=0' });
  expect(answer.statusCode).toBe(406);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).toContain('allow identity');
});

test('the probe is never stored', async () => {
  expect((await under.get(probePath(name, 1))).headers['cache-control']).toBe('no-store');
});
