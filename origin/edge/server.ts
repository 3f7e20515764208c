import fastify from 'fastify';
import { Edge, type EdgeOptions } from './edge.ts';

/**
 * Starts an edge on a free port of loopback, which answers every request: all its routes are those of the upstream.
 * `url` is for example `http://127.0.0.1:41234`.
 */
export async function startEdge(options: EdgeOptions) {
  const server = fastify({ forceCloseConnections: true });
  const edge = new Edge(options);
  server.removeAllContentTypeParsers();
  // A body is forwarded as it arrives, so it is not parsed here.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHook('onRequest', (request, reply, _done) => {
    reply.hijack();
    void edge.handle(request.raw, reply.raw);
  });
  server.addHook('onClose', (_server, done) => {
    edge.close();
    done();
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, edge, server, close: () => server.close() };
}
