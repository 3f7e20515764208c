import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { RequestLog } from '../request-log.ts';

/** Compares without telling by its time how much is right; hashing first makes the lengths equal. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Routes for programs that hold the run's token. No page can read them: they allow no other origin. */
export function controlRoutes(server: FastifyInstance, token: string, log: RequestLog): void {
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return undefined;
      reply.header('www-authenticate', 'Bearer');
      return reply.code(401).send({
        code: 'CS_ORIGIN_TOKEN',
        message: 'Send the token of this run: Authorization: Bearer TOKEN',
      });
    });
    scope.get<{ Querystring: { since?: number } }>(
      '/control/log',
      {
        schema: {
          querystring: { type: 'object', properties: { since: { type: 'integer', minimum: 0 } } },
        },
      },
      async (request) => ({ mark: log.mark(), requests: log.since(request.query.since ?? 0) }),
    );
  });
}
