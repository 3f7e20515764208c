import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { LinkEnd } from './emulated-link.ts';

/**
 * Lets a server that listens be reached over a link too, on the same port. Linux takes packets for any of its addresses from
 * any network, so connections of others than the link's clients are closed.
 */
export async function listenToo(
  server: Server,
  { host, client }: Pick<LinkEnd, 'host' | 'client'>,
): Promise<Server> {
  const { port } = server.address() as AddressInfo;
  const other = createServer({ noDelay: true }, (socket) => {
    if (socket.remoteAddress === client) server.emit('connection', socket);
    else socket.destroy();
  });
  await once(other.listen(port, host), 'listening');
  return other;
}
