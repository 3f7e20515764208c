import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentRange } from '../edge/byte-range.ts';
import { isMismatch, isNotModified, partOf } from '../edge/conditional.ts';
import { neverStore, openToAll } from './cache-headers.ts';
import { StreamBody } from './stream-body.ts';
import { StreamContent } from './stream-content.ts';

/** Parameters of a stream, from the query of its URL. */
export interface StreamPace {
  /** Seed of the random bytes; default 1. */
  seed: number;
  /** Length of the body, bytes; default 30 MiB, as in the benchmark on which this is modelled. */
  bytes: number;
  /** Time to send the body, ms, default 3000 (10 MiB a second); 0: as fast as the reader accepts it. */
  durationMs: number;
  /** Chunks a second, default 10; may be less than one. */
  chunkHz: number;
  /** Delay before the header section of the response, ms, default 0: simulates the origin's processing time. */
  headDelayMs: number;
  /** Injected fault: the connection breaks after this many bytes of the body. Absent: no fault. */
  dieAfterBytes?: number;
}

const defaultPace: StreamPace = {
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
    dieAfterBytes: { type: 'integer', minimum: 1 },
  },
} as const;

/** Path and query of a stream; omitted values have their defaults. */
export function streamPath(name: string, pace: Partial<StreamPace> = {}): string {
  const query = Object.entries(pace).map(([key, value]) => `${key}=${value}`);
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  return `/streams/${encodeURIComponent(name)}${search}`;
}

type StreamRequest = FastifyRequest<{ Params: { name: string }; Querystring: StreamPace }>;

/**
 * `/streams/NAME`: random bytes that depend on seed and name, at a fixed rate, cacheable by a shared cache for an hour.
 * One range is answered with 206, at the same rate; a matching entity tag with 304. The log has the number of bytes
 * sent.
 */
export function streamRoutes(server: FastifyInstance): void {
  server.route({
    // HEAD is handled here too: Fastify's own handler would declare the length of the empty body.
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

/** Waits for `delayMs`; returns false at once when the client leaves meanwhile. */
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
  if (isMismatch(request.headers, etag)) return reply.code(412).headers(neverStore).send();
  if (isNotModified(request.headers, { etag })) return reply.code(304).send();
  const part = partOf(request.raw, { etag }, pace.bytes);
  if (part === 'unsatisfiable')
    return reply
      .code(416)
      .headers({ ...neverStore, 'content-range': `bytes */${pace.bytes}` })
      .send();
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
    chunkBytes: pace.bytes / chunks,
    periodMs: pace.durationMs / chunks,
    dieAfterBytes: pace.dieAfterBytes,
  });
}

/** The number of bytes sent is known only at the end of a stream: a leaving reader or a fault may truncate it. */
function loggedBody({ logged }: StreamRequest, body: StreamBody): StreamBody {
  return body.once('close', () => (logged.bodyBytes = body.sentBytes));
}
