import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { neverStore } from '../routes/cache-headers.ts';
import { contentRange } from './byte-range.ts';
import { isNotModified, partOf } from './conditional.ts';
import type { GrowingBody } from './growing-body.ts';
import { ageMs, type StoredResponse } from './stored-response.ts';
import { edgeName, via } from './upstream.ts';

/** Bytes written to a connection at once: more would only wait in its buffer. */
const batchBytes = 512 * 1024;

/** How a request was handled, in the terms of RFC 9211: `hit`, `fwd=miss; collapsed` and so on. */
export type CacheStatus = string;

/** Cache-Status of a response (RFC 9211): after the members of the caches nearer to the origin, its own. */
export function cacheStatus(status: CacheStatus, received: IncomingHttpHeaders = {}): string {
  const { 'cache-status': former } = received;
  return `${former === undefined ? '' : `${String(former)}, `}${edgeName}; ${status}`;
}

/** Fields of a response from the store: the stored fields, its age, and its Cache-Status. `code`: its status for the client. */
function answerFields(
  response: StoredResponse,
  status: CacheStatus,
  code: number,
): OutgoingHttpHeaders {
  // Without fwd-status the upstream's status counts as the client's (RFC 9211 section 2.3).
  const isOther = /^fwd=(?!.*fwd-status)/.test(status) && code !== response.status;
  const told = isOther ? `${status}; fwd-status=${response.status}` : status;
  const { 'content-length': _length, ...fields } = response.headers;
  return {
    ...fields,
    via: via(response.headers),
    age: `${Math.floor(ageMs(response, Date.now()) / 1000)}`,
    'cache-status': cacheStatus(told, response.headers),
  };
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
  const begin = (code: number, fields: OutgoingHttpHeaders = {}) =>
    response.writeHead(code, { ...answerFields(stored, status, code), ...fields });
  if (stored.status === 200 && isNotModified(request.headers, stored.headers)) {
    stored.body.passBy();
    begin(304).end();
    return;
  }
  const bytes = stored.lengthBytes;
  const wanted =
    stored.status === 200 && bytes !== null ? partOf(request, stored.headers, bytes) : null;
  if (wanted === 'unsatisfiable') {
    stored.body.passBy();
    // Of this range alone: a cache may answer a request for the whole from it (RFC 9111 section 4).
    begin(416, { ...neverStore, 'content-range': `bytes */${bytes}` }).end();
    return;
  }
  const part = wanted ?? { from: 0, to: bytes ?? Number.POSITIVE_INFINITY };
  const length = part.to - part.from;
  const hasLength = Number.isFinite(length) && stored.status !== 204;
  begin(wanted ? 206 : stored.status, {
    ...(wanted && bytes !== null && { 'content-range': contentRange(wanted, bytes) }),
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
