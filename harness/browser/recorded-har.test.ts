import { harProblems } from '@cachescope/model/fixtures/har-problems.ts';
import { readHarPage } from '@cachescope/model/pageload/har.ts';
import { expect, test } from 'vitest';
import { type RecordedRequest, recordedHar } from './recorded-har.ts';

const url = 'http://127.0.0.1:8000/';

function request(path: string, change: object): RecordedRequest {
  return {
    url: url + path,
    method: 'GET',
    priority: 'High',
    startedAtMs: Date.UTC(2026, 10, 21),
    startedAt: 100,
    endedAt: 100.02,
    initiator: { type: 'parser', url },
    type: 'Script',
    bodyBytes: 1000,
    encodedDataLength: 400,
    response: {
      status: 200,
      headers: { 'Content-Encoding': 'br', 'Cache-Control': 'max-age=60' },
      headersText: 'h'.repeat(150),
      mimeType: 'text/javascript',
    },
    ...change,
  } as unknown as RecordedRequest;
}

test('a recording can be loaded: tree, sizes, compressibility and bodies', () => {
  const text = 'let a;'.padEnd(1000);
  const html = { status: 200, headers: {}, mimeType: 'text/html' };
  const har = recordedHar(url, [
    request('', { type: 'Document', initiator: { type: 'other' }, response: html }),
    request('a.js', { body: { body: text, base64Encoded: false } }),
    request('b.js', {
      startedAtMs: Date.UTC(2026, 10, 21) + 5,
      initiator: { type: 'script', stack: { callFrames: [{ url: `${url}a.js` }] } },
      body: { body: 'AAEC', base64Encoded: true },
      bodyBytes: 3,
    }),
    request('never-answered', { response: undefined }),
  ]);
  expect(harProblems(har)).toEqual([]);
  const read = readHarPage({ name: 'recorded', json: har }, 'recorded');
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const { page, bodies } = read.value;
  expect(page.resources.map(({ name, parent }) => [name, parent])).toEqual([
    ['index', null],
    ['a.js', 0],
    ['b.js', 1],
  ]);
  expect(page.resources[1]).toMatchObject({ bodyBytes: 1000, wireShare: 0.25, coding: 'br' });
  expect([...bodies]).toEqual([
    [1, { text, isBase64: false }],
    [2, { text: 'AAEC', isBase64: true }],
  ]);
});

test('a recording holds no credentials', () => {
  const secrets = ['Cookie', 'Set-Cookie', 'Authorization', 'Proxy-Authorization'];
  const headers = Object.fromEntries(
    [...secrets, 'X-Other'].map((name) => [name, `${name}-5ecret`]),
  );
  const response = { status: 200, headers, requestHeaders: headers, mimeType: 'text/html' };
  const text = JSON.stringify(recordedHar(url, [request('', { type: 'Document', response })]));
  expect(text).toContain('X-Other-5ecret');
  for (const name of secrets) expect(text).not.toContain(`"${name}-5ecret`);
});

test('the phases follow the protocol, and add up', () => {
  const timing = {
    requestTime: 100.002,
    dnsStart: 1,
    dnsEnd: 2,
    connectStart: 2,
    connectEnd: 4,
    sslStart: -1,
    sslEnd: -1,
    sendStart: 4,
    sendEnd: 5,
    receiveHeadersEnd: 10,
  };
  const timed = request('a.js', {
    response: { status: 200, headers: {}, mimeType: 'text/css', protocol: 'h2', timing },
  });
  const har = recordedHar(url, [timed, request('b.js', { endedAt: undefined })]);
  expect(harProblems(har)).toEqual([]);
  const [first, second] = har.log.entries;
  expect(first?.request.httpVersion).toBe('h2');
  const phases = { blocked: 3, dns: 1, connect: 2, send: 1, wait: 5, receive: 8 };
  for (const [name, ms] of Object.entries(phases))
    expect(first?.timings).toHaveProperty(name, expect.closeTo(ms, 6));
  expect(first?.time).toBeCloseTo(20, 6);
  expect(second?.time).toBe(0);
});
