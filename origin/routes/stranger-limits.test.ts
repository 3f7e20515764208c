import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { limitBodyTime, limitStrangers } from './stranger-limits.ts';

test('a request body that does not end in time closes its connection; a complete body does not', async () => {
  const server = fastify();
  onTestFinished(() => server.close());
  limitBodyTime(server, 50);
  server.post('/', () => 'taken');
  const { port } = new URL(await server.listen({ port: 0 }));
  const whole = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
  expect(await whole.text()).toBe('taken');
  const slow = connect(Number(port), '127.0.0.1');
  slow.on('error', () => undefined);
  slow.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n1',
  );
  await once(slow, 'close');
});

test('over HTTP/2 such a body ends its stream', async () => {
  const server = fastify({ http2: true });
  onTestFinished(() => server.close());
  limitBodyTime(server as unknown as FastifyInstance, 50);
  server.post('/', () => 'taken');
  const client = connectHttp2(await server.listen({ port: 0 }));
  onTestFinished(() => client.close());
  const slow = client.request({ ':method': 'POST', ':path': '/', 'content-type': 'text/plain' });
  slow.on('error', () => undefined).write('1');
  await once(slow, 'close');
});

test('an origin open to a network limits the request rate of each address separately', async () => {
  let now = 0;
  const server = fastify();
  limitStrangers(server, '10.0.0.1', () => now);
  server.get('/', () => 'taken');
  const ask = async (remoteAddress: string) =>
    (await server.inject({ url: '/', remoteAddress })).statusCode;
  for (let sent = 0; sent < 10_000; sent++) await ask('10.0.0.2');
  expect(await ask('10.0.0.2')).toBe(429);
  expect(await ask('10.0.0.3')).toBe(200);
  now += 1;
  expect([await ask('10.0.0.2'), server.server.maxConnections]).toEqual([200, 512]);
});

test('on loopback there is no limit', () => {
  const server = fastify();
  limitStrangers(server, '127.0.0.1');
  expect(server.server.maxConnections).not.toBe(512);
});
