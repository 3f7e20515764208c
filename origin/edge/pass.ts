import type {
  IncomingHttpHeaders,
  IncomingMessage,
  InformationEvent,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { cacheStatus } from './reply.ts';
import { endToEnd } from './stored-response.ts';
import { edgeName, hasContent, type Upstream, via } from './upstream.ts';

/** Why a request went to the upstream (RFC 9211 section 2.2). */
type ForwardReason = 'miss' | 'method' | 'request' | 'stale';

/** Forwards a request and its response unchanged, bypassing the store. Settles with the response's fields. */
export async function passOn(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  reason: ForwardReason,
): Promise<IncomingHttpHeaders> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method = 'GET', url: target = '/', headers } = request;
  const fields = endToEnd(headers);
  const incoming = await upstream.ask(method, target, fields, {
    signal: abort.signal,
    body: hasContent(request) ? request : undefined,
    onInterim: interimTo(request, response),
  });
  response.writeHead(incoming.statusCode ?? 502, {
    ...endToEnd(incoming.headers),
    via: via(incoming.headers),
    'cache-status': cacheStatus(`fwd=${reason}`),
  });
  // A failing pipeline breaks the connection too: the client sees that the response is incomplete.
  await pipeline(incoming, response).catch(() => undefined);
  return incoming.headers;
}

/**
 * Forwards interim responses as they arrive (RFC 9110 section 15.2), except 100, which the edge's server sends itself.
 * Node before 26.2 cannot.
 */
export function interimTo(
  { httpVersion }: IncomingMessage,
  response: ServerResponse,
): (answer: InformationEvent) => void {
  return ({ statusCode, headers }) => {
    const isWanted = statusCode !== 100 && httpVersion !== '1.0' && 'writeInformation' in response;
    if (!isWanted || response.headersSent || response.destroyed) return;
    response.writeInformation(statusCode, endToEnd(headers) as OutgoingHttpHeaders);
  };
}

/** Sends an error of the edge itself; breaks the connection when a response has begun. */
export function sendError(response: ServerResponse, status: 502 | 504, reason: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const message = reason instanceof Error ? reason.message : String(reason);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    // 504 answers only-if-cached: nothing was forwarded.
    'cache-status': cacheStatus(
      status === 504 ? 'detail=only-if-cached' : 'fwd=miss; detail=failed',
    ),
  });
  response.end(`${edgeName}: ${message}\n`);
}
