import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenToo } from './second-address.ts';

test('a server answers the clients of a link at a second address, and nobody else there', async () => {
  const server = createServer((_request, response) => response.end('taken')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other = await listenToo(server, { host: '127.0.0.2', client: '127.0.0.3' });
  onTestFinished(() => {
    server.close();
    other.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (hostname: string, localAddress: string) => {
    const [answer] = (await once(
      get({ hostname, port, localAddress, agent: false }),
      'response',
    )) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  expect(await ask('127.0.0.1', '127.0.0.4')).toBe(200);
  expect(await ask('127.0.0.2', '127.0.0.3')).toBe(200);
  await expect(ask('127.0.0.2', '127.0.0.4')).rejects.toThrow(/hang up|reset/);
});
