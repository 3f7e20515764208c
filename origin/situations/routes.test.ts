import { createHash, X509Certificate } from 'node:crypto';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { answers } from '@cachescope/model/attribution/answer.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Origin, startOrigin } from '../server.ts';
import { doneFile, situationPath } from './situation.ts';
import { situations } from './situations.ts';

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin({ workloads: [], situations: true });
});
afterAll(() => origin.close());

const get = (name: string, file: string, headers: Record<string, string> = {}) =>
  origin.server.inject({ method: 'GET', url: situationPath('a-play', name, file), headers });

test('situations have names of their own, and judge what they serve', () => {
  expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  for (const situation of situations) {
    const { name, files, judged, target, steps, otherwise = [] } = situation;
    if (!judged.endsWith(':')) expect(files, name).toHaveProperty([judged]);
    if (target !== undefined) expect(files, name).toHaveProperty([target]);
    for (const { truth, askedBefore } of [situation, ...otherwise]) {
      expect(answers).toContain(truth.answer);
      if (askedBefore !== undefined) expect(files, name).toHaveProperty([askedBefore]);
    }
    for (const { waitsFor } of Object.values(files))
      if (waitsFor) expect(files, name).toHaveProperty([waitsFor.file]);
    for (const step of steps)
      if (step.kind === 'visit') expect(files, name).toHaveProperty([step.file]);
  }
});

test('every answer that there is stands in the truth table', () => {
  const told = new Set(situations.map(({ truth }) => truth.answer));
  expect(answers.filter((answer) => !told.has(answer))).toEqual([]);
});

test('a file that may be confirmed is, to those who know its tag', async () => {
  const full = await get('revalidated-fetch', 'resource');
  expect(full).toMatchObject({ statusCode: 200, headers: { etag: '"resource"' } });
  const confirmed = await get('revalidated-fetch', 'resource', { 'if-none-match': '"resource"' });
  expect(confirmed).toMatchObject({ statusCode: 304, body: '' });
});

test('a file that waits for another is answered once that one is', async () => {
  const waiting = get('stale-while-revalidate', 'renewed');
  let isAnswered = false;
  void waiting.then(() => (isAnswered = true));
  await get('stale-while-revalidate', 'resource');
  expect(isAnswered).toBe(false);
  await get('stale-while-revalidate', 'resource', { 'if-none-match': '"resource"' });
  expect(await waiting).toMatchObject({ statusCode: 200 });
});

test('a range of a file that has ranges is served as 206', async () => {
  const part = await get('range-from-disk', 'resource', { range: 'bytes=3-9' });
  const whole = await get('range-from-disk', 'resource');
  expect(part).toMatchObject({ statusCode: 206, body: whole.body.slice(3, 10) });
  expect(part.headers['content-range']).toBe(`bytes 3-9/${whole.body.length}`);
});

test('dcb and dcz go to those who hold the dictionary', async () => {
  const dictionary = await get('dcb-network', 'dictionary');
  const hash = createHash('sha256').update(dictionary.rawPayload).digest('base64');
  const holder = { 'available-dictionary': `:${hash}:` };
  for (const coding of ['dcb', 'dcz']) {
    const encoded = await get(`${coding}-network`, 'resource', holder);
    const plain = await get(`${coding}-network`, 'resource');
    expect(encoded.headers['content-encoding']).toBe(coding);
    expect(encoded.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
    expect(plain.headers).not.toHaveProperty('content-encoding');
  }
  expect((await get('dcb-network', 'resource-probe', holder)).body).toBe('available');
  expect((await get('dcb-network', 'resource-probe')).body).toBe('');
});

test('what no situation serves is 404, and a document may tell that it is done', async () => {
  expect((await get('disk-fetch', 'nothing')).statusCode).toBe(404);
  expect((await get('nothing', 'resource')).statusCode).toBe(404);
  expect((await get('disk-fetch', 'constructor')).statusCode).toBe(404);
  expect((await get('disk-fetch', doneFile)).statusCode).toBe(204);
});

test('the secure server sends early hints over HTTP/2 with the key that it names', async () => {
  const { secure } = origin;
  if (!secure) throw new Error('the origin has no secure server');
  const session = connect(secure.url, { rejectUnauthorized: false });
  const request = session.request({
    ':path': situationPath('a-play', 'early-hints-script', 'page'),
  });
  const hint = await new Promise<IncomingHttpHeaders>((resolve) =>
    request.once('headers', resolve),
  );
  expect(hint).toMatchObject({ ':status': 103, link: expect.stringContaining('rel=preload') });
  const { raw } = (session.socket as TLSSocket).getPeerCertificate();
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(key).digest('base64')).toBe(secure.publicKeySha256);
  session.destroy();
});

test('an origin serves no situations unless it is asked to', async () => {
  const plain = await startOrigin({ workloads: [] });
  const answer = await plain.server.inject(situationPath('a-play', 'disk-fetch', 'page'));
  expect(answer.statusCode).toBe(404);
  expect(plain.secure).toBeNull();
  await plain.close();
});
