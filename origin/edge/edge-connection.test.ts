import { get, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerWith, type Asked, edgeUnderTest, eventually } from './edge-under-test.ts';
import { idleLimitMs } from './upstream.ts';

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

/** Answers that are none, each on a connection that stays open. */
const noAnswers = [
  '101 Switching Protocols\r\n',
  '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n',
  '200 OK\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 5 5\r\n',
  '099 Early\r\nContent-Length: 0\r\n',
  '200 OK\r\nTransfer-Encoding: x-gzip, chunked\r\n',
  '200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n',
  '200 OK\r\nTransfer-Encoding: gzip\r\n',
  '200 OK\r\nTransfer-Encoding: gzip, chunked\r\n',
];

test.each(noAnswers)(
  'an upstream that answers %j counts as not answering, and blocks no later request',
  async (head) => {
    const edge = await edgeUnderTest({ mode: 'stream' });
    const readings = [edge.read('/a'), edge.read('/a')];
    const { request } = await edge.until(1);
    await eventually(() => edge.answers().length === 2);
    request.socket.write(`HTTP/1.1 ${head}\r\n`);
    expect((await Promise.all(readings)).map(({ status }) => status)).toEqual([502, 502]);
    const next = edge.text('/a');
    answerWith(await edge.until(2), 'answer');
    expect(await next).toBe('answer');
  },
);

test('interim responses do not extend the time in which the response must begin', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const edge = await edgeUnderTest({ mode: 'stream' });
  const reading = answersTo(`${edge.url}/a`);
  const { response } = await edge.until(1);
  response.writeProcessing();
  vi.advanceTimersByTime(idleLimitMs);
  expect(await reading).toMatchObject({ status: 502 });
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
