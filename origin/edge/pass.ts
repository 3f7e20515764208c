import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { cacheStatus } from './reply.ts';
import { endToEnd } from './stored-response.ts';
import { edgeName, hasContent, type Upstream, via } from './upstream.ts';

/** Why a request went to the upstream (RFC 9211 section 2.2). */
type ForwardReason = 'miss' | 'method' | 'request';

/** Passes a request on as it is, and its answer back, past the store. */
export async function passOn(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  reason: ForwardReason,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method = 'GET', url: target = '/', headers } = request;
  const fields = endToEnd(headers);
  const incoming = await upstream.ask(method, target, fields, {
    signal: abort.signal,
    body: hasContent(request) ? request : undefined,
  });
  response.writeHead(incoming.statusCode ?? 502, {
    ...endToEnd(incoming.headers),
    via: via(incoming.headers),
    'cache-status': cacheStatus(`fwd=${reason}`),
  });
  // A pipeline that breaks breaks the connection too: the client sees that the answer is not whole.
  await pipeline(incoming, response).catch(() => undefined);
}

/** Answers with an error of the edge's own; breaks the connection when an answer has begun. */
export function sendError(response: ServerResponse, status: 502 | 504, reason: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const message = reason instanceof Error ? reason.message : String(reason);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'cache-status': cacheStatus('fwd=miss; detail=failed'),
  });
  response.end(`${edgeName}: ${message}\n`);
}
