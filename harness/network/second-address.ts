import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Lets a server that listens take connections at another address of this machine too, on the same port. */
export async function listenToo(server: Server, host: string): Promise<Server> {
  const { port } = server.address() as AddressInfo;
  const other = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  await once(other.listen(port, host), 'listening');
  return other;
}
