import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamContent } from '@cachescope/origin/routes/stream-content.ts';
import { afterAll, expect, test } from 'vitest';
import { fileName, readAll } from './client.ts';

const bytes = 4000;
const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

async function serverOf(answer: (response: ServerResponse, body: Buffer) => void): Promise<string> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(/^\/streams\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '');
    answer(response, Buffer.from(new StreamContent(3, name).view(0, bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function taskAt(base: string) {
  const pace = { seed: 3, bytes, durationMs: 0, chunkHz: 10 };
  return { base, prefix: 'test', pace, workers: 2, timeMs: 1, shouldStop: () => true };
}

test('each reader requests file 0 first, and a correct response has no flag', async () => {
  const base = await serverOf((response, body) => response.end(body));
  const { requests, clientMs } = await readAll(taskAt(base));
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(request).toMatchObject({ file: 0, bytes });
    expect(request).not.toHaveProperty('flag');
    // Both are differences of two clock readings; the mean adds one more rounding error.
    expect(request.firstByteMs).toBeLessThanOrEqual((request.byteWaitMs ?? 0) + 1e-9);
    expect(request.durationMs).toBeLessThanOrEqual(clientMs);
  }
  expect(fileName('test', 2)).toBe('test-file-2');
});

test.each([
  [
    'wrong-body',
    (response: ServerResponse, body: Buffer) =>
      response.end(Buffer.concat([body.subarray(1), body.subarray(0, 1)])),
  ],
  [
    'cut-off',
    (response: ServerResponse, body: Buffer) => response.end(body.subarray(0, bytes - 1)),
  ],
  [
    'cut-off',
    (response: ServerResponse, body: Buffer) => {
      const head = { 'content-length': bytes };
      response.writeHead(200, head).write(body.subarray(0, 10), () => response.destroy());
    },
  ],
  ['wrong-status', (response: ServerResponse) => response.writeHead(502).end('gone')],
  ['failed', (response: ServerResponse) => response.destroy()],
] as const)('%s is reported as such', async (flag, answer) => {
  const { requests } = await readAll(taskAt(await serverOf(answer)));
  expect(requests.map((request) => request.flag)).toEqual([flag, flag]);
});

test('a signal ends every reader immediately, with the bytes received so far', async () => {
  const abort = new AbortController();
  let asked = 0;
  const base = await serverOf((response, body) => {
    response.writeHead(200, { 'content-length': bytes });
    response.write(body.subarray(0, 10), () => ++asked === 2 && abort.abort());
  });
  const task = { ...taskAt(base), timeMs: 60_000, shouldStop: () => false, signal: abort.signal };
  const { requests } = await readAll(task);
  expect(requests.map((request) => request.flag)).toEqual(['failed', 'failed']);
  for (const request of requests) expect(request.bytes).toBeLessThanOrEqual(10);
});

test('the wait of a byte is the arrival time of its chunk, weighted by size', async () => {
  const pauseMs = 80;
  const base = await serverOf((response, body) => {
    response.write(body.subarray(0, 1000));
    setTimeout(() => response.end(body.subarray(1000)), pauseMs);
  });
  const { requests } = await readAll(taskAt(base));
  for (const { firstByteMs, byteWaitMs, durationMs } of requests) {
    // A quarter arrives with the first byte. The rest arrives after the pause, which a timer may end 1 ms early, and
    // before the end.
    const quarterMs = (firstByteMs ?? Number.NaN) / 4;
    expect(byteWaitMs).toBeGreaterThan(quarterMs + ((pauseMs - 1) * 3) / 4);
    expect(byteWaitMs).toBeLessThanOrEqual(quarterMs + (durationMs * 3) / 4);
  }
});

test('the cache status in the response is kept', async () => {
  const base = await serverOf((response, body) =>
    response.writeHead(200, { 'x-cache-status': 'MISS' }).end(body),
  );
  const { requests } = await readAll(taskAt(base));
  expect(requests[0]?.cacheStatus).toBe('MISS');
});

test('of several caches, the status of the nearest is kept', async () => {
  const base = await serverOf((response, body) =>
    response.writeHead(200, { 'cache-status': 'inner; hit, edge; fwd=miss; stored' }).end(body),
  );
  const { requests } = await readAll(taskAt(base));
  expect(requests[0]?.cacheStatus).toBe('fwd=miss; stored');
});
