import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { byteRange, contentRange } from '../edge/byte-range.ts';
import { openToAll } from './cache-headers.ts';
import { header } from './logging.ts';
import { StreamBody } from './stream-body.ts';
import { StreamContent } from './stream-content.ts';

/** How a stream is sent, as the query of its URL says it. */
export interface StreamPace {
  /** Of the random bytes; default 1. */
  seed: number;
  /** Length of the body; default 30 MiB, as in the benchmark this follows. */
  bytes: number;
  /** How long the origin takes to send it, ms, default 3000 (10 MiB a second); 0: as fast as the reader takes it. */
  durationMs: number;
  /** Chunks a second, default 10; less than one is a trickle. */
  chunkHz: number;
  /** Time before the head of the answer goes out, ms, default 0: an origin that thinks. */
  headDelayMs: number;
  /** A fault on purpose: the connection breaks after this many bytes of the body. Absent: it does not. */
  dieAfterBytes?: number;
}

export const defaultPace: StreamPace = {
  seed: 1,
  bytes: 30 * 1024 ** 2,
  durationMs: 3000,
  chunkHz: 10,
  headDelayMs: 0,
};

const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1, default: defaultPace.seed },
    bytes: { type: 'integer', minimum: 0, maximum: 2 ** 40, default: defaultPace.bytes },
    durationMs: { type: 'number', minimum: 0, maximum: 3_600_000, default: defaultPace.durationMs },
    chunkHz: { type: 'number', minimum: 0.01, maximum: 1000, default: defaultPace.chunkHz },
    headDelayMs: { type: 'number', minimum: 0, maximum: 3_600_000, default: 0 },
    dieAfterBytes: { type: 'integer', minimum: 0 },
  },
} as const;

/** Path and query of a stream; what is not said is the default. */
export function streamPath(name: string, pace: Partial<StreamPace> = {}): string {
  const query = Object.entries(pace).map(([key, value]) => `${key}=${value}`);
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  return `/streams/${encodeURIComponent(name)}${search}`;
}

type StreamRequest = FastifyRequest<{ Params: { name: string }; Querystring: StreamPace }>;

/**
 * `/streams/NAME`: random bytes that follow from seed and name, at a set pace, for a shared cache to keep for an hour. One
 * range is answered with 206, at the same pace; a known entity tag with 304. The log tells how many bytes went out.
 */
export function streamRoutes(server: FastifyInstance): void {
  server.route({
    // HEAD too is ours: Fastify's own would tell the length of what it was given to send, which is nothing.
    method: ['GET', 'HEAD'],
    url: '/streams/:name',
    schema: { querystring },
    async handler(request: StreamRequest, reply) {
      if (await staysFor(request.query.headDelayMs, reply)) return sendStream(request, reply);
      request.logged.bodyBytes = 0;
      return reply.hijack();
    },
  });
}

/** Waits so long; false, at once, when the client leaves meanwhile. */
async function staysFor(delayMs: number, { raw }: FastifyReply): Promise<boolean> {
  if (delayMs === 0) return true;
  const left = new AbortController();
  const leave = () => left.abort();
  raw.once('close', leave);
  await sleep(delayMs, undefined, { signal: left.signal }).catch(() => undefined);
  raw.off('close', leave);
  return !left.signal.aborted;
}

function sendStream(request: StreamRequest, reply: FastifyReply): FastifyReply {
  const { name } = request.params;
  const pace = request.query;
  const etag = `"${pace.seed}-${Buffer.from(name).toString('base64url')}-${pace.bytes}"`;
  reply.headers({
    ...openToAll,
    'cache-control': 'public, max-age=3600',
    'accept-ranges': 'bytes',
    etag,
  });
  reply.type('application/octet-stream');
  if (header(request, 'if-none-match') === etag) return reply.code(304).send();
  const part = byteRange(header(request, 'range'), pace.bytes);
  if (part === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${pace.bytes}`).send();
  if (part) reply.code(206).header('content-range', contentRange(part, pace.bytes));
  const { from, to } = part ?? { from: 0, to: pace.bytes };
  reply.header('content-length', to - from);
  if (request.method === 'HEAD' || to === from) return reply.send();
  return reply.send(loggedBody(request, bodyOf(name, pace, from, to)));
}

function bodyOf(name: string, pace: StreamPace, from: number, to: number): StreamBody {
  const chunks = Math.max(1, Math.round((pace.durationMs / 1000) * pace.chunkHz));
  return new StreamBody({
    content: new StreamContent(pace.seed, name),
    from,
    to,
    chunkBytes: Math.max(1, Math.ceil(pace.bytes / chunks)),
    periodMs: pace.durationMs / chunks,
    dieAfterBytes: pace.dieAfterBytes,
  });
}

/** Only the end of a stream tells how much of it went out: a reader that left, or a fault, cut it short. */
function loggedBody({ logged }: StreamRequest, body: StreamBody): StreamBody {
  return body.once('close', () => (logged.bodyBytes = body.sentBytes));
}
