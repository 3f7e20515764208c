import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { measureRoundTrip } from './transfer-round-trip.ts';

test('no name is looked up while handshakes are timed', async () => {
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
    // One for the address of all handshakes, one for the connection of all empty requests.
    expect(lookup.mock.calls.map(([host]) => host)).toEqual(['localhost', 'localhost']);
  } finally {
    lookup.mockRestore();
    server.close();
  }
});
