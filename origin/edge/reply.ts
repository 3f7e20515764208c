import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { contentRange } from './byte-range.ts';
import { isNotModified, partOf } from './conditional.ts';
import type { GrowingBody } from './growing-body.ts';
import { ageMs, type StoredResponse } from './stored-response.ts';
import { edgeName, via } from './upstream.ts';

/** Bytes written to a connection at once: more would only wait in its buffer. */
const batchBytes = 512 * 1024;

/** How a request was handled, in the terms of RFC 9211: `hit`, `fwd=miss; collapsed` and so on. */
export type CacheStatus = string;

/** Cache-Status of a response (RFC 9211). */
export function cacheStatus(status: CacheStatus): string {
  return `${edgeName}; ${status}`;
}

/** Fields of a response from the store: the stored fields, its age, and its Cache-Status. */
function answerFields(response: StoredResponse, status: CacheStatus): IncomingHttpHeaders {
  const fields: IncomingHttpHeaders & { 'cache-status'?: string } = {
    ...response.headers,
    via: via(response.headers),
    age: `${Math.floor(ageMs(response, Date.now()) / 1000)}`,
    'cache-status': cacheStatus(status),
  };
  delete fields['content-length'];
  return fields;
}

/**
 * Answers a GET or HEAD from a response, which may still be arriving; evaluates preconditions and one range (RFC 9110
 * sections 13 and 14). While the length of the response is unknown, a range request gets the whole response.
 */
export async function replyFrom(
  stored: StoredResponse,
  status: CacheStatus,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fields = answerFields(stored, status);
  if (stored.status === 200 && isNotModified(request.headers, stored.headers)) {
    stored.body.passBy();
    response.writeHead(304, fields).end();
    return;
  }
  const bytes = stored.lengthBytes;
  const wanted =
    stored.status === 200 && bytes !== null ? partOf(request, stored.headers, bytes) : null;
  if (wanted === 'unsatisfiable') {
    stored.body.passBy();
    response.writeHead(416, { ...fields, 'content-range': `bytes */${bytes}` }).end();
    return;
  }
  if (wanted && bytes !== null) fields['content-range'] = contentRange(wanted, bytes);
  const part = wanted ?? { from: 0, to: bytes ?? Number.POSITIVE_INFINITY };
  const length = part.to - part.from;
  const hasLength = Number.isFinite(length) && stored.status !== 204;
  response.writeHead(wanted ? 206 : stored.status, {
    ...fields,
    ...(hasLength && { 'content-length': length }),
  });
  if (request.method === 'HEAD') return void response.end();
  await sendBody(stored.body, part, response);
}

/**
 * Sends a part of a body as it arrives. When the body fails, the connection breaks, so that no client takes the part
 * for complete.
 */
async function sendBody(
  body: GrowingBody,
  { from, to }: { from: number; to: number },
  response: ServerResponse,
): Promise<void> {
  const taker = body.join(from);
  const leave = () => body.leave(taker);
  response.once('close', leave);
  try {
    response.flushHeaders();
    while (!response.destroyed && (taker.offset ?? 0) < to) {
      const chunks = body.take(taker, to, batchBytes);
      if (chunks.length > 0) await write(response, chunks);
      else if (body.state === 'filling') await body.changed;
      else break;
    }
    const hasPart = (taker.offset ?? 0) >= to;
    const isWhole = hasPart || (body.state === 'complete' && !Number.isFinite(to));
    if (isWhole && !response.destroyed) {
      // A reader that has everything it wanted does not abort the rest: the rest goes to the store.
      body.leaveContent(taker);
      response.end();
    } else response.destroy();
  } finally {
    leave();
  }
}

/** Writes the chunks at once; settles when the connection accepts more, or is closed. */
function write(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> | undefined {
  // Corks the socket, not the response: a corked response without a length may never emit `drain` (Node 26).
  const { socket } = response;
  socket?.cork();
  let hasRoom = true;
  for (const chunk of chunks) hasRoom = response.write(chunk);
  socket?.uncork();
  if (hasRoom || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.once('drain', go);
    response.once('close', go);
  });
}
