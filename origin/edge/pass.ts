import type {
  IncomingMessage,
  InformationEvent,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { endToEnd } from './connection-fields.ts';
import { type CacheStatus, cacheStatus } from './reply.ts';
import {
  edgeName,
  ForwardError,
  type ForwardReason,
  hasContent,
  type Upstream,
  via,
} from './upstream.ts';

/**
 * Forwards a request and its response unchanged, bypassing the store. `onHead` is called with the response when its header
 * section has come, before anything is sent on.
 */
export async function passOn(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  reason: ForwardReason,
  onHead: (incoming: IncomingMessage) => void = () => undefined,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method = 'GET', url: target = '/', headers } = request;
  const incoming = await upstream.ask(method, target, upstream.fieldsOf(headers), {
    reason,
    signal: abort.signal,
    body: hasContent(request) ? request : undefined,
    onInterim: interimTo(request, response),
  });
  onHead(incoming);
  response.writeHead(incoming.statusCode ?? 502, {
    ...endToEnd(incoming.headers),
    via: via(incoming.headers),
    'cache-status': cacheStatus(`fwd=${reason}`, incoming.headers),
  });
  // A failing pipeline breaks the connection too: the client sees that the response is incomplete.
  await pipeline(incoming, response).catch(() => undefined);
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

/** Sends the error of a request that got no response from the upstream; breaks the connection when a response has begun. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  const reason = error instanceof ForwardError ? error.reason : 'miss';
  const message = error instanceof Error ? error.message : String(error);
  sendError(response, 502, `fwd=${reason}; detail=failed`, message);
}

/** Sends an error of the edge itself; breaks the connection when a response has begun. */
export function sendError(
  response: ServerResponse,
  code: 501 | 502 | 504,
  status: CacheStatus,
  message: string,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(code, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'cache-status': cacheStatus(status),
  });
  response.end(`${edgeName}: ${message}\n`);
}
