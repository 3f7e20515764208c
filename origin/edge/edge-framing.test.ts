import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answerWith, edgeUnderTest } from './edge-under-test.ts';

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;

/** Sends bytes unchanged, and settles with all bytes of the answer once the edge closes the connection. */
async function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

/** An edge whose upstream answers with the content of each request that it receives. */
function echo() {
  return edgeUnderTest(
    { mode: 'stream' },
    (asked) => void text(asked.request).then((content) => answerWith(asked, `<${content}>`)),
  );
}

test.each([
  ['DELETE', 'Transfer-Encoding: chunked', chunked],
  ['GET', 'Transfer-Encoding: chunked', chunked],
  ['OPTIONS', 'Transfer-Encoding: chunked', chunked],
  ['DELETE', `Content-Length: ${smuggled.length}\r\nConnection: content-length`, smuggled],
  ['GET', `Content-Length: ${smuggled.length}`, smuggled],
  ['GET', `Content-Length: ${smuggled.length}\r\nExpect: 100-continue`, smuggled],
  ['POST', 'Transfer-Encoding: chunked', chunked],
])('content of %s with %s is not parsed as another request', async (method, fields, content) => {
  const edge = await echo();
  const head = `${method} /a HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
  const end = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const answers = await send(edge.url, `${head}\r\n${content}${end}`);
  expect(edge.asked.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
    `${method} /a`,
    'GET /last',
  ]);
  expect(answers).toContain(`<${smuggled}>`);
  expect(edge.asked[0]?.request.headers.expect).toBeUndefined();
});

test('content in a transfer coding that the edge does not decode is refused', async () => {
  const edge = await echo();
  const head =
    'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n';
  expect(await send(edge.url, `${head}\r\n${chunked}`)).toMatch(/^HTTP\/1.1 501 /);
  expect(edge.asked).toEqual([]);
});

test('the content of a GET is not part of the cache key', async () => {
  const edge = await echo();
  const headers = { 'content-length': '0' };
  expect(await edge.text('/a', { headers })).toBe('<>');
  expect(await edge.text('/a')).toBe('<>');
  expect(edge.asked).toHaveLength(2);
});
