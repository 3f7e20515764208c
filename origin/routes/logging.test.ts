import { once } from 'node:events';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { name, originUnderTest } from '../origin-under-test.ts';
import { startOrigin } from '../server.ts';
import { resourcePath } from '../workloads/urls.ts';
import { createWorkload } from '../workloads/workload.ts';

const under = originUnderTest();

test('every request is in the log, with the requested and the served values', async () => {
  const mark = under.origin.log.mark();
  const path = `${resourcePath(name, 'dcb')}?read=1`;
  const { rawPayload } = await under.get(path, {
    ...under.holder,
    host: 'localhost:1',
    'user-agent': 'me',
  });
  await under.head(resourcePath(name), under.holder);
  await under.get('/nothing');
  const entries = under.origin.log.since(mark);
  expect(entries.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(entries[0]).toMatchObject({
    sequence: mark,
    method: 'GET',
    path,
    host: 'localhost:1',
    status: 200,
    contentCoding: 'dcb',
    bodyBytes: rawPayload.byteLength,
    availableDictionary: under.workload.dictionarySha256,
    dictionaryId: name,
    acceptEncoding: under.holder['accept-encoding'],
    secFetchSite: 'same-origin',
    secFetchMode: 'cors',
    secFetchDest: null,
    userAgent: 'me',
  });
  expect(Date.parse(entries[0]?.finishedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(entries[0]?.receivedAt ?? ''),
  );
  expect(entries[1]).toMatchObject({ method: 'HEAD', contentCoding: 'dcb', bodyBytes: 0 });
});

test('a request over a socket is in the log as soon as its response has arrived', async () => {
  const mark = under.origin.log.mark();
  const response = await fetch(under.origin.url + resourcePath(name, 'gzip'), {
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(under.origin.log.since(mark)).toMatchObject([{ status: 200, contentCoding: 'gzip' }]);
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), under.workload.resource)).toBe(
    0,
  );
});

test('a conditional request answered with 304 is in the log, without a coding', async () => {
  const mark = under.origin.log.mark();
  const { headers } = await under.get(resourcePath(name), under.holder);
  await under.get(resourcePath(name), { ...under.holder, 'if-none-match': String(headers.etag) });
  expect(under.origin.log.since(mark)).toMatchObject([
    { status: 200, contentCoding: 'dcb' },
    { status: 304, contentCoding: null, bodyBytes: 0 },
  ]);
});

test('a request whose client leaves early is in the log, and its response never finished', async () => {
  // More than the buffers of two sockets can hold.
  const resource = Buffer.alloc(32 * 1024 * 1024);
  const about = { name: 'large', title: 'large', contentType: 'text/plain' };
  const large = await startOrigin({
    workloads: [createWorkload(about, Buffer.from('older'), resource)],
  });
  const connected = once(large.server.server, 'connection') as Promise<[Socket]>;
  const client = get(large.url + resourcePath('large'));
  await once(client, 'response');
  const [socket] = await connected;
  client.destroy();
  // Not once(): it would reject at the preceding ECONNRESET error.
  await new Promise((closed) => socket.once('close', closed));
  expect(large.log.since(0)).toMatchObject([{ status: 200, finishedAt: null }]);
  await large.close();
});

test.each([
  ['/workloads/nope/resource', 404, /"nope"; there are synthetic:20KiB, other/],
  ['/workloads/other/resource/deflate', 404, /"deflate"; there are identity, gzip, br/],
  ['/workloads/..%2f..%2fetc%2fpasswd/resource', 404, /No workload/],
  ['/workloads/__proto__/resource', 404, /No workload/],
  ['/../../etc/passwd', 404, /not found/],
  ['/workloads/%E0%A4%A/resource', 400, /not a valid url/],
  [`/workloads/${'a'.repeat(5000)}/resource`, 414, /max param length/],
])('%.60s is answered with %d', async (url, status, message) => {
  const mark = under.origin.log.mark();
  const answer = await under.get(url);
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toMatch(message);
  expect(under.origin.log.since(mark)).toMatchObject([{ status }]);
});
