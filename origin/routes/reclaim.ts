import { setTimeout as wait } from 'node:timers/promises';
import type { Coding } from '@cachescope/model/coding.ts';
import type { FastifyInstance } from 'fastify';
import type { VariantStore } from '../encoding/variants.ts';
import { syntheticWorkload } from '../workloads/synthetic.ts';
import { cacheForever, openToAll } from './cache-headers.ts';

/**
 * Header with the number of the response, rising from 0: a client that sees a number twice was served by a cache of its
 * own.
 */
export const answerNumberHeader = 'cachescope-answer';

/** Largest body of an item, bytes before content coding. */
export const largestItemBytes = 64 * 1024 * 1024;
/**
 * Longest delay before a body is created, ms: clients give up after 30 s, and the body must be created and sent by
 * then.
 */
export const longestItemDelayMs = 25_000;

const schema = {
  params: {
    type: 'object',
    properties: { key: { type: 'string', pattern: '^[A-Za-z0-9]{1,40}$' } },
  },
  querystring: {
    type: 'object',
    properties: {
      bytes: { type: 'integer', minimum: 0, maximum: largestItemBytes, default: 1024 },
      coding: { type: 'string', enum: ['identity', 'gzip'], default: 'identity' },
      delay: { type: 'number', minimum: 0, maximum: longestItemDelayMs, default: 0 },
    },
  },
} as const;

interface ItemRequest {
  Params: { key: string };
  Querystring: { bytes: number; coding: Extract<Coding, 'identity' | 'gzip'>; delay: number };
}

/**
 * `GET /reclaim/items/KEY?bytes=1024&coding=gzip&delay=0`: text that begins with its key, from the store of encoded
 * variants. An item that is not stored is created after `delay` ms. Cache-Status (RFC 9211) reports a hit or a miss.
 */
export function reclaimRoutes(server: FastifyInstance, variants: VariantStore): void {
  let answers = 0;
  server.get<ItemRequest>('/reclaim/items/:key', { schema }, async (request, reply) => {
    const { key } = request.params;
    const { bytes, coding, delay } = request.query;
    const { variant, hit } = await variants.find(`${key}/${bytes}/${coding}`, coding, async () => {
      if (delay > 0) await wait(delay);
      return { body: { bytes: itemBody(key, bytes) } };
    });
    reply.headers({
      ...cacheForever,
      ...openToAll,
      'access-control-expose-headers': answerNumberHeader,
      [answerNumberHeader]: answers++,
      'cache-status': hit ? 'cachescope; hit' : 'cachescope; fwd=miss',
      etag: variant.etag,
    });
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type('text/plain; charset=utf-8').send(variant.bytes);
  });
}

/**
 * Texts by length, rounded up to a power of two: with one text per size, a log of many sizes would fill the memory by
 * which a store's limit is judged.
 */
const templates = new Map<number, Uint8Array>();

/** A text of at least this many bytes. */
function templateFor(bytes: number): Uint8Array {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, bytes)));
  const template = templates.get(length) ?? syntheticWorkload('item', length).resource;
  templates.set(length, template);
  return template;
}

/** First line of an item. */
export function itemStamp(key: string): string {
  return `${key}\n`;
}

/** Text that compresses like source code; in a buffer of its own, because a store counts the bytes it holds. */
export function itemBody(key: string, bytes: number): Uint8Array {
  const body = Buffer.allocUnsafeSlow(bytes);
  body.set(templateFor(bytes).subarray(0, bytes));
  body.write(itemStamp(key), 'latin1');
  return body;
}
