import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { RequestLog } from '../request-log.ts';

const logQuery = {
  type: 'object',
  properties: { since: { type: 'integer', minimum: 0 } },
} as const;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares without telling by its time how much is right; hashing first makes the lengths equal. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

/** The token of a request; empty without one. The scheme is read without regard to case (RFC 9110 section 11.1). */
function bearerToken(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Routes for programs that hold the run's token. No page can read them: they allow no other origin. */
export function controlRoutes(server: FastifyInstance, token: string, log: RequestLog): void {
  server.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      reply.header('cache-control', 'no-store');
      reply.header('cross-origin-resource-policy', 'same-origin');
      if (isSame(bearerToken(request.headers.authorization), token)) return next();
      return reply.code(401).header('www-authenticate', 'Bearer').send({
        code: 'CS_ORIGIN_TOKEN',
        message: 'Send the token of this run: Authorization: Bearer TOKEN',
      });
    });
    scope.get('/control/health', (_request, reply) => reply.send({ status: 'ok' }));
    scope.get<{ Querystring: { since?: number } }>(
      '/control/log',
      { schema: { querystring: logQuery } },
      (request, reply) => {
        const oldest = log.oldest();
        const since = Math.max(request.query.since ?? 0, oldest);
        return reply.send({ oldest, mark: log.mark(), requests: log.since(since) });
      },
    );
    done();
  });
}
