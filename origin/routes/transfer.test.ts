import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, constants } from 'node:http2';
import { connect as tlsConnect } from 'node:tls';
import { type TransferDescription, transferHeaders } from '@cachescope/model/transfer/task.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hangLimitMs } from '../../test/hang-limit.ts';
import { type Origin, startOrigin } from '../server.ts';

let origin: Origin;
let description: TransferDescription;

beforeAll(async () => {
  origin = await startOrigin({ workloads: [], transfer: { tlsPort: 0 } });
  description = (await (await fetch(`${origin.url}/transfer`)).json()) as TransferDescription;
});
afterAll(() => origin.close());

const post = (path: string, body: Uint8Array<ArrayBuffer> | null = new Uint8Array(800)) =>
  fetch(origin.url + path, { method: 'POST', body });

test('answers with the requested number of bytes, whatever the request body', async () => {
  for (const bytes of [0, 1, 35_000, 2_000_000]) {
    const response = await post(`/transfer/${bytes}`);
    expect((await response.arrayBuffer()).byteLength).toBe(bytes);
  }
  const typed = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
  expect((await fetch(`${origin.url}/transfer/5`, typed)).status).toBe(200);
  expect((await post('/transfer/5', null)).status).toBe(200);
});

test('a large body is sent as the client takes it, so that clients that read nothing fill no memory', async () => {
  const mark = origin.log.mark();
  const socket = tlsConnect(description.ports['h1-tls'], { rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write('POST /transfer/64000000 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  socket.pause();
  const { logged } = await vi.waitUntil(() => {
    const [entry] = origin.log.since(mark);
    return entry?.status === 200 && { logged: entry };
  }, hangLimitMs);
  expect(logged.bodyBytes).toBeNull();
  socket.destroy();
  await expect.poll(() => logged.bodyBytes).toBeLessThan(32e6);
  await (await post('/transfer/2000000')).arrayBuffer();
  await expect.poll(() => origin.log.since(mark).at(-1)?.bodyBytes).toBe(2_000_000);
});

test('refuses values out of range', async () => {
  expect((await post('/transfer/64000001')).status).toBe(400);
  expect((await post('/transfer/-1')).status).toBe(400);
  expect((await post('/transfer/1?delay=10001')).status).toBe(400);
  expect((await post('/transfer/1', new Uint8Array(1_000_001))).status).toBe(413);
  expect((await post('/transfer/1', new Uint8Array(8_000_000))).status).toBe(413);
  const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) });
  const request = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
  const status = await fetch(`${origin.url}/transfer/1`, request).then(
    (answer) => answer.status,
    String,
  );
  expect(status).not.toBe(200);
});

test('waits for the requested delay, and reports its own time', async () => {
  const start = performance.now();
  const response = await post('/transfer/1?delay=30');
  expect(performance.now() - start).toBeGreaterThan(29);
  expect(Number(response.headers.get(transferHeaders.originMs))).toBeGreaterThan(28);
});

/** The origin's request counts for two requests from a client that reuses its connection when possible. */
async function countsOf(path: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const request = httpRequest(new URL(path, origin.url), { method: 'POST', agent });
      request.on('error', reject).on('response', (response) => {
        const count = Number(response.headers[transferHeaders.request]);
        response.resume().on('end', () => resolve(count));
      });
      request.end();
    });
  const counts = [await ask(), await ask()];
  agent.destroy();
  return counts;
}

test('counts requests on a persistent connection, and closes it with close=1', async () => {
  expect(await countsOf('/transfer/1')).toEqual([1, 2]);
  expect(await countsOf('/transfer/1?close=1')).toEqual([1, 1]);
});

test('a response that an HTTP/2 client resets never finished', async () => {
  const session = connect(`https://127.0.0.1:${description.ports.h2}`, {
    ca: description.certificate,
    servername: 'localhost',
  });
  const mark = origin.log.mark();
  const stream = session.request({ ':method': 'POST', ':path': '/transfer/64000000' });
  stream.end('x');
  await once(stream, 'data');
  stream.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => origin.log.since(mark)[0]?.bodyBytes).toBeLessThan(64e6);
  session.close();
  await once(session, 'close');
  expect(origin.log.since(mark)).toMatchObject([{ status: 200, finishedAt: null }]);
});

test('counts requests in an HTTP/2 session, and closes it after the response with close=1', async () => {
  const session = connect(`https://127.0.0.1:${description.ports.h2}`, {
    ca: description.certificate,
    servername: 'localhost',
  });
  const ask = (path: string) =>
    new Promise<[connection: number, request: number]>((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': path });
      let told: [number, number] = [0, 0];
      stream.on('response', (headers) => {
        told = [transferHeaders.connection, transferHeaders.request].map((name) =>
          Number(headers[name]),
        ) as [number, number];
      });
      stream.on('error', reject).on('end', () => resolve(told));
      stream.resume().end('x');
    });
  const goneAway = new Promise((resolve) => session.once('goaway', resolve));
  const [connection, first] = await ask('/transfer/1000');
  expect(first).toBe(1);
  expect(await ask('/transfer/1000')).toEqual([connection, 2]);
  expect(await ask('/transfer/200000?close=1')).toEqual([connection, 3]);
  await goneAway;
});

test('any page may send requests and read their timing, without a preflight', async () => {
  const { headers } = await post('/transfer/1');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('timing-allow-origin')).toBe('*');
  expect(headers.get('access-control-expose-headers')).toContain(transferHeaders.request);
});

test('without the transfer option an origin serves no transfers', async () => {
  const plain = await startOrigin({ workloads: [] });
  const response = await fetch(`${plain.url}/transfer/1`, { method: 'POST' });
  expect(response.status).toBe(404);
  await plain.close();
});
