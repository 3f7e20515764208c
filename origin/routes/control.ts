import { createHash, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@cachescope/model/errors/index.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OriginError } from '../error.ts';
import type { RequestLog } from '../request-log.ts';
import { type LabHandlers, labRoutes } from './lab.ts';

const logQuery = {
  type: 'object',
  properties: { since: { type: 'integer', minimum: 0 } },
} as const;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Compares in constant time, so that the time does not reveal a correct prefix; hashing first makes the lengths equal.
 */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

/** The token of a request; empty without one. The scheme is case-insensitive (RFC 9110 section 11.1). */
function bearerToken(authorization: string | undefined): string {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/**
 * Whether a web page sent the request: browsers send Origin with a page's POST requests, and Sec-Fetch-Site with all
 * its fetches (Fetch Metadata). Other programs send neither, and an extension sends its own origin.
 */
function isAskedByPage({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return !origin.startsWith('chrome-extension://');
  return site !== undefined && site !== 'none';
}

function refusal(
  request: FastifyRequest,
  token: string,
): { status: 401 | 403; code: ErrorCode; message: string } | null {
  if (isAskedByPage(request)) {
    const message = 'Web pages may not use the control routes, whatever token they hold.';
    return { status: 403, code: 'CS_ORIGIN_PAGE', message };
  }
  if (isSame(bearerToken(request.headers.authorization), token)) return null;
  const message = 'Send the token of this run: Authorization: Bearer TOKEN';
  return { status: 401, code: 'CS_ORIGIN_TOKEN', message };
}

/**
 * Routes for programs with the run's token, and for the extension when the origin belongs to a lab. No page can read
 * them: they allow no other origin and refuse requests from pages.
 */
export function controlRoutes(
  server: FastifyInstance,
  token: string,
  log: RequestLog,
  lab?: LabHandlers,
): void {
  server.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, reply, next) => {
      reply.header('cache-control', 'no-store');
      reply.header('cross-origin-resource-policy', 'same-origin');
      const refused = refusal(request, token);
      if (refused === null) return next();
      const { status, ...why } = refused;
      if (status === 401) reply.header('www-authenticate', 'Bearer');
      return reply.code(status).send(why);
    });
    scope.get('/control/health', (_request, reply) => reply.send({ status: 'ok' }));
    scope.get<{ Querystring: { since?: number } }>(
      '/control/log',
      { schema: { querystring: logQuery } },
      (request, reply) => {
        const oldest = log.oldest();
        try {
          const requests = log.since(request.query.since ?? oldest);
          return reply.send({ oldest, mark: log.mark(), requests });
        } catch (error) {
          if (!(error instanceof OriginError)) throw error;
          const { code, message } = error;
          return reply.code(410).send({ code, message });
        }
      },
    );
    if (lab) labRoutes(scope, lab);
    done();
  });
}
