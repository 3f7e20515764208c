import { RequestLog } from '@cachescope/origin/request-log.ts';
import { controlRoutes } from '@cachescope/origin/routes/control.ts';
import fastify from 'fastify';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fillLog, startThread } from './server.ts';

const arrived = {
  receivedAt: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/streams/a',
  host: '127.0.0.1',
  acceptEncoding: null,
  availableDictionary: null,
  dictionaryId: null,
  secFetchSite: null,
  secFetchMode: null,
  secFetchDest: null,
  userAgent: null,
};

/** The control routes over a log with a capacity of `capacity` requests, and the lengths of their responses. */
async function served(capacity: number) {
  const log = new RequestLog(capacity);
  const server = fastify({ forceCloseConnections: true });
  const answerBytes: number[] = [];
  controlRoutes(server, 'token', log);
  server.addHook('onSend', (_request, _reply, payload, done) => {
    answerBytes.push(String(payload).length);
    done();
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  const append = (count: number) => {
    for (let index = 0; index < count; index++) log.append(arrived).bodyBytes = 1;
  };
  return { append, answerBytes, fill: fillLog(url, 'token') };
}

test('the log returns the requests since a mark, and no earlier ones', async () => {
  const { append, answerBytes, fill } = await served(1000);
  append(500);
  const mark = await fill.mark();
  expect(mark).toBe(500);
  // The response with the mark does not contain the log.
  expect(answerBytes[0]).toBeLessThan(100);
  append(3);
  expect((await fill.since(mark)).map(({ sequence }) => sequence)).toEqual([500, 501, 502]);
});

test('a log that has dropped some of the requests is rejected', async () => {
  const { append, fill } = await served(10);
  const mark = await fill.mark();
  append(25);
  await expect(fill.since(mark)).rejects.toThrow(/no longer has all requests from 0 on/);
});

test('an edge whose warm-up fails leaves no thread behind', async () => {
  const upstream = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-length': 1000 })
      .write('cut short', () => response.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void upstream.close());
  await vi.waitUntil(() => upstream.listening);
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => terminate.mockRestore());
  const { port } = upstream.address() as AddressInfo;
  const task = {
    kind: 'edge',
    upstream: `http://127.0.0.1:${port}`,
    mode: 'pass',
    limitBytes: 1e6,
  } as const;
  await expect(startThread(task)).rejects.toThrow();
  expect(terminate).toHaveBeenCalledOnce();
});
