import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { transferHeaders } from '@cachescope/model/transfer/task.ts';
import { Http1Sender } from './sender.ts';
import { describeOrigin } from './origin.ts';
import { measureRoundTrip } from './round-trip.ts';

test('no name is resolved while handshakes are timed', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const h1 = `http://localhost:${(server.address() as AddressInfo).port}`;
  const place = { bases: { h1 }, description: { certificate: '' } } as never;
  const lookup = vi.spyOn(dns, 'lookup');
  try {
    const { tcpConnectMs, emptyRequestMs } = await measureRoundTrip(place, 0);
    expect(tcpConnectMs).toHaveLength(10);
    expect(emptyRequestMs).toHaveLength(10);
    // One lookup for the address of all handshakes, and one for the connection of all empty requests.
    expect(lookup.mock.calls.map(([host]) => host)).toEqual(['localhost', 'localhost']);
  } finally {
    lookup.mockRestore();
    server.close();
  }
});

const foreignDescription = JSON.stringify({
  version: 1,
  machine: null,
  ports: { 'h1-tls': 1, h2: 2 },
  certificate: '',
  publicKeySha256: 'one,another',
});

test.each([
  ['a refusal', 501, () => Buffer.alloc(0), /returned status 501/],
  ['an endless description', 200, () => Buffer.alloc(200_000, ' '), /more than 65536 bytes/],
  [
    'a description of another kind',
    200,
    () => Buffer.from('{"version":1}'),
    /does not match this version/,
  ],
  ['a key that is none', 200, () => Buffer.from(foreignDescription), /does not match this version/],
  ['no JSON', 200, () => Buffer.from('<html>'), /JSON/],
])('a foreign origin ends in an error with a code: %s', async (_, status, content, says) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(content());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place = { bases: { h1: url }, description: { certificate: '' } } as never;
  const failed = status === 501 ? measureRoundTrip(place, 0) : describeOrigin(url);
  try {
    await expect(failed).rejects.toMatchObject({ code: 'CS_TRANSFER_ORIGIN' });
    await expect(failed).rejects.toThrow(says);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an endless response ends at the limit, and a header that is no number is unknown', async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/short') {
      response.writeHead(200, { [transferHeaders.connection]: '1e999' }).end();
      return;
    }
    const part = Buffer.alloc(1_000_000);
    const send = () => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', send).on('error', () => undefined);
    send();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = new Http1Sender('');
  try {
    const { originConnection } = await sender.send(`${url}/short`, new Uint8Array(0));
    expect(originConnection).toBeNull();
    const place = { bases: { h1: url }, description: { certificate: '' } } as never;
    await expect(measureRoundTrip(place, 0)).rejects.toThrow(/returned more than 64000000 bytes/);
  } finally {
    sender.close();
    server.closeAllConnections();
    server.close();
  }
});
