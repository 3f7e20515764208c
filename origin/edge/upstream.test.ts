import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { idleLimitMs, Upstream } from './upstream.ts';

const bodyBytes = 64;

/** Asks an upstream that sends half of its body; `rest` sends the other half. */
async function halfAnswered() {
  let answer: ServerResponse | undefined;
  const server = createServer((_request, response) => {
    answer = response.writeHead(200, { 'content-length': bodyBytes });
    answer.write('a'.repeat(bodyBytes / 2));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const upstream = new Upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    upstream.close();
    server.close().closeAllConnections();
  });
  const { signal } = new AbortController();
  const options = { reason: 'miss' as const, signal, onInterim: () => undefined };
  const incoming = await upstream.ask('GET', '/', {}, options);
  return { incoming, rest: () => answer?.end('a'.repeat(bodyBytes / 2)) };
}

test('a response that stays silent for the limit is broken off', async () => {
  const { incoming } = await halfAnswered();
  const ended = once(incoming.resume(), 'end');
  expect(incoming.socket.timeout).toBe(idleLimitMs);
  incoming.socket.emit('timeout');
  await expect(ended).rejects.toThrow('aborted');
});

test('while the edge does not read, the upstream is not silent: the time begins anew', async () => {
  const { incoming, rest } = await halfAnswered();
  incoming.pause();
  const restart = vi.spyOn(incoming.socket, 'setTimeout');
  for (let limits = 0; limits < 3; limits++) incoming.socket.emit('timeout');
  expect(restart.mock.calls).toEqual([[idleLimitMs], [idleLimitMs], [idleLimitMs]]);
  rest();
  const chunks = (await incoming.toArray()) as Buffer[];
  expect(Buffer.concat(chunks)).toHaveLength(bodyBytes);
});
