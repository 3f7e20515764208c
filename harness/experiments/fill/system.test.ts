import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { madeUpFillRun } from '@cachescope/model/fixtures/fill.ts';
import { StreamContent } from '@cachescope/origin/routes/stream-content.ts';
import { expect, onTestFinished, test } from 'vitest';
import { noLink } from '../../lab/run-link.ts';
import type { FillLab } from './lab.ts';
import { cacheLimitBytes, readThrough } from './system.ts';

test('when the origin fails, its readers end and their partial results are returned with the reason', async () => {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const loss = new Error('the origin ended');
  let asked = 0;
  const server = createServer((request, response) => {
    if (++asked === 2) reject(loss);
    const name = /^\/streams\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '';
    response.writeHead(200, { 'content-length': '1000' });
    response.write(new StreamContent(42, name).view(0, 10));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { plan } = madeUpFillRun(['origin']);
  const origin = { url, failed };
  const session = { found: { plan }, link: noLink, shouldStop: () => false };
  const lab = { session, origin } as unknown as FillLab;
  const suite = { name: '1s', fileMs: 1000 };
  const reading = await readThrough(lab, 'origin', suite, 'lost');
  expect(reading.failure).toBe(loss);
  expect(reading.requests.map(({ worker, flag }) => [worker, flag !== undefined])).toEqual([
    [0, true],
    [1, true],
  ]);
  // No reader continues into the next trial.
  await expect
    .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
    .toBe(0);
});

test('the cache limit is at most half of the memory', () => {
  expect(cacheLimitBytes).toBeLessThanOrEqual(totalmem() / 2);
});
