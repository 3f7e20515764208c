import { get, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { answerWith, type Asked, edgeUnderTest } from './edge-under-test.ts';

const uncached = { 'cache-control': 'no-store' };

/** Answers the first request on each connection, and closes the connection at the second. */
function droppingUpstream(onSecond: (asked: Asked) => void = ({ request }) => request.destroy()) {
  const used = new WeakSet<Socket>();
  return (asked: Asked, index: number): void => {
    const { socket } = asked.request;
    if (used.has(socket)) return onSecond(asked);
    used.add(socket);
    answerWith(asked, `answer ${index}`, uncached);
  };
}

test.each(['GET', 'HEAD', 'DELETE'])(
  'the upstream closes a persistent connection at the second request: %s is retried once, on a new connection',
  async (method) => {
    const edge = await edgeUnderTest({ mode: 'stream' }, droppingUpstream());
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) {
      const reading = await edge.read('/a', { method });
      statuses.push(reading.status);
      await reading.whole;
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
    const kept = edge.asked.filter(({ request }) => request.headers.connection === 'keep-alive');
    expect(kept.length).toBeLessThan(edge.asked.length);
  },
);

test('POST, and any request with content, reaches the upstream once, on a separate connection', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, droppingUpstream());
  for (const request of [
    { method: 'POST' },
    { method: 'PUT', headers: { 'content-length': '0' } },
    { method: 'POST' },
  ])
    expect((await edge.read('/a', request)).status).toBe(200);
  expect(edge.asked.map(({ request }) => request.headers.connection)).toEqual(
    Array.from({ length: 3 }, () => 'close'),
  );
});

test('a request with a partial answer from the upstream is not retried', async () => {
  const edge = await edgeUnderTest(
    { mode: 'stream' },
    droppingUpstream(({ request }) => request.socket.end('HTTP/1.1 200 OK\r\nContent-')),
  );
  expect(await edge.text('/a')).toBe('answer 0');
  expect((await edge.read('/a')).status).toBe(502);
  expect(edge.asked).toHaveLength(2);
});

test('an upstream that switches protocols without being asked counts as not answering', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, ({ request }) =>
    request.socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  );
  expect((await edge.read('/a')).status).toBe(502);
});

/** The interim and final responses that a client gets. */
function answersTo(url: string) {
  const interim: { status: number; headers: IncomingHttpHeaders }[] = [];
  return new Promise<{ interim: typeof interim; status: number }>((resolve, reject) => {
    const request = get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve({ interim, status: answer.statusCode ?? 0 });
    });
    request.on('information', ({ statusCode, headers }) =>
      interim.push({ status: statusCode, headers }),
    );
    request.on('error', reject);
  });
}

test.each(['max-age=60', 'no-store'])(
  'interim responses of the upstream are forwarded to the requesting client, and are not stored (%s)',
  async (control) => {
    const link = '</a.css>; rel=preload; as=style';
    const edge = await edgeUnderTest({ mode: 'stream' }, (asked) => {
      asked.response.writeProcessing();
      asked.response.writeEarlyHints({ link, 'x-other': 'b' });
      answerWith(asked, 'answer', { 'cache-control': control });
    });
    const first = await answersTo(`${edge.url}/a`);
    expect(first).toMatchObject({
      status: 200,
      interim: [{ status: 102 }, { status: 103, headers: { link, 'x-other': 'b' } }],
    });
    const again = await answersTo(`${edge.url}/a`);
    expect(again.interim).toHaveLength(control === 'no-store' ? 2 : 0);
  },
);
