import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { send } from './page.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The answer of the page's own function to a response of this server. */
async function answerTo(answer: (response: ServerResponse) => void): ReturnType<typeof send> {
  server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return send(`http://127.0.0.1:${port}/transfer/5`, new Uint8Array(3), 5);
}

test('a body of the announced length is timed to its last byte', async () => {
  const answer = await answerTo((response) => response.setHeader('content-length', 5).end('12345'));
  expect(answer).toMatchObject({ bodyBytes: 5, originConnection: null });
  expect(answer.totalMs).toBeGreaterThan(0);
});

test('a body without end is refused by its header, before it fills memory', async () => {
  let sentBytes = 0;
  const part = Buffer.alloc(65_536);
  const failed = answerTo((response) => {
    const more = () => {
      while (!response.destroyed && response.write(part)) sentBytes += part.length;
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  await expect(failed).rejects.toThrow('announced no bytes in place of 5');
  // What fits into the buffers of a connection.
  expect(sentBytes).toBeLessThan(64 * 1024 ** 2);
});

test('another length and an error status are refused with their value', async () => {
  const long = answerTo((response) => response.setHeader('content-length', 9).end('123456789'));
  await expect(long).rejects.toThrow('announced 9 bytes in place of 5');
  server.close();
  const failed = answerTo((response) => response.writeHead(503).end('no'));
  await expect(failed).rejects.toThrow('returned status 503');
});
