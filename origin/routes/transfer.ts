import {
  largestRequestBytes,
  largestResponseBytes,
  longestServerDelayMs,
  transferHeaders,
} from '@cachescope/model/transfer/task.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { neverStore, openToAll } from './cache-headers.ts';
import { StreamBody } from './stream-body.ts';
import type { ConnectionCount } from './transfer-connections.ts';

const query = {
  type: 'object',
  properties: {
    delay: { type: 'number', minimum: 0, maximum: longestServerDelayMs, default: 0 },
    close: { type: 'integer', minimum: 0, maximum: 1, default: 0 },
  },
} as const;

const params = {
  type: 'object',
  properties: { bytes: { type: 'integer', minimum: 0, maximum: largestResponseBytes } },
} as const;

interface TransferRequest {
  Params: { bytes: number };
  Querystring: { delay: number; close: 0 | 1 };
}

/**
 * `POST /transfer/BYTES?delay=MS&close=1`: receives a body, waits, and answers with BYTES bytes. Its headers identify
 * the connection. `close` ends the connection after the response: by `Connection: close` (RFC 9112 section 9.6), or by
 * GOAWAY (RFC 9113 section 6.8).
 */
export function transferRoutes(server: FastifyInstance, connections: ConnectionCount): void {
  server.register((scope, _options, done) => {
    // Any body is received completely and discarded: the response begins after the end of the request.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', ({ headers }: FastifyRequest, body: Readable) =>
      discarded(body, Number(headers['content-length'] ?? 0)),
    );
    const arrivals = new WeakMap<FastifyRequest, number>();
    scope.addHook('onRequest', (request, _reply, next) => {
      arrivals.set(request, performance.now());
      next();
    });
    scope.post<TransferRequest>(
      '/transfer/:bytes',
      { schema: { params, querystring: query } },
      async (request, reply) => {
        const carrier = connections.count(request.raw);
        if (request.query.delay > 0) await wait(request.query.delay);
        if (request.query.close === 1) closeBehind(request, reply);
        const arrivedAt = arrivals.get(request) ?? Number.NaN;
        return reply
          .headers({
            ...neverStore,
            ...openToAll,
            'access-control-expose-headers': Object.values(transferHeaders).join(', '),
            'content-length': request.params.bytes,
            [transferHeaders.connection]: carrier.connection,
            [transferHeaders.request]: carrier.request,
            [transferHeaders.originMs]: (performance.now() - arrivedAt).toFixed(3),
          })
          .type('application/octet-stream')
          .send(bodyOf(request, request.params.bytes));
      },
    );
    done();
  });
}

/** Receives a body to its end and keeps nothing of it, however many clients send one. */
async function discarded(body: Readable, declaredBytes: number): Promise<void> {
  requireSize(declaredBytes);
  let bytes = 0;
  for await (const chunk of body) requireSize((bytes += (chunk as Buffer).byteLength));
}

function requireSize(bytes: number): void {
  if (bytes <= largestRequestBytes) return;
  const message = `a request body has at most ${largestRequestBytes} bytes`;
  throw Object.assign(new Error(message), { statusCode: 413 });
}

/** Before the response is sent, so that the client knows it before it could send the next request. */
function closeBehind({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { session } = (raw as { stream?: { session?: { close(): void } } }).stream ?? {};
  if (session) session.close();
  else reply.header('connection', 'close');
}

/** Nothing is compressed in transfer, so the content does not matter. */
const content = Buffer.alloc(1024 ** 2, 'cachescope ');
const view = (_offset: number, mostBytes: number): Buffer =>
  content.subarray(0, Math.min(mostBytes, streamedChunkBytes));
const streamedChunkBytes = 256 * 1024;

/**
 * A larger body is sent as the client takes it: TLS encrypts a whole buffer at once, and would keep 64 MB for every
 * client that reads nothing.
 */
function bodyOf({ logged }: FastifyRequest, bytes: number): Buffer | StreamBody {
  if (bytes <= content.byteLength) return content.subarray(0, bytes);
  const pace = { chunkBytes: bytes, periodMs: 0 };
  const body = new StreamBody({ content: { view }, from: 0, to: bytes, ...pace });
  return body.once('close', () => (logged.bodyBytes = body.sentBytes));
}
