import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import { isCoding } from '@cachescope/model/coding.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { availableDictionary, dictionaryId } from '../dictionary/request-headers.ts';
import type { ArrivedRequest, LoggedRequest, RequestLog } from '../request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** This request's entry in the request log. */
    logged: LoggedRequest;
  }
}

/** A request header as one text; undefined: absent. Node has already joined repeated fields. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function arrival(request: FastifyRequest): ArrivedRequest {
  return {
    receivedAt: new Date().toISOString(),
    method: request.method,
    path: request.raw.url ?? '',
    host: request.host,
    acceptEncoding: header(request, 'accept-encoding') ?? null,
    availableDictionary: availableDictionary(header(request, 'available-dictionary')),
    dictionaryId: dictionaryId(header(request, 'dictionary-id')),
    secFetchSite: header(request, 'sec-fetch-site') ?? null,
    secFetchMode: header(request, 'sec-fetch-mode') ?? null,
    secFetchDest: header(request, 'sec-fetch-dest') ?? null,
    userAgent: header(request, 'user-agent') ?? null,
  };
}

/** Completes the entry before the first byte is sent, so that a client with its response finds the entry in the log. */
function answered(entry: LoggedRequest, reply: FastifyReply, bodyBytes: number | null): void {
  const coding = String(reply.getHeader('content-encoding') ?? 'identity');
  // 304 has no content, and so no coding.
  entry.contentCoding = reply.statusCode !== 304 && isCoding(coding) ? coding : null;
  entry.status = reply.statusCode;
  entry.bodyBytes = bodyBytes;
}

/** Body bytes of a response; null for a stream, whose length is known only at its end. */
function bodyBytesOf(method: string, payload: unknown): number | null {
  if (method === 'HEAD' || payload === null || payload === undefined) return 0;
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : null;
}

/** Over HTTP/2, Node says of a response whose stream was reset that it has finished. */
function wasReset(response: ServerResponse | Http2ServerResponse): boolean {
  const { NGHTTP2_NO_ERROR } = constants;
  return 'stream' in response && (response.stream.rstCode ?? NGHTTP2_NO_ERROR) !== NGHTTP2_NO_ERROR;
}

/** Logs every request at its arrival, and completes its entry when it is answered. */
export function logRequests(server: FastifyInstance, log: RequestLog): void {
  server.decorateRequest('logged');
  server.addHook('onRequest', (request, _reply, done) => {
    request.logged = log.append(arrival(request));
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    answered(request.logged, reply, bodyBytesOf(request.method, payload));
    log.changed();
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (!wasReset(reply.raw)) request.logged.finishedAt = new Date().toISOString();
    log.changed();
    done();
  });
}

/**
 * Answers and logs requests that Fastify rejects before any hook, because their path is too long or cannot be decoded.
 * They used the network too.
 */
export function logRefused(log: RequestLog) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { code, message, statusCode = 400 } = error;
    const body = JSON.stringify({ code, message });
    const entry = log.append(arrival(request));
    reply.raw.once('finish', () => (entry.finishedAt = new Date().toISOString()));
    reply.code(statusCode).type('application/json; charset=utf-8');
    answered(entry, reply, Buffer.byteLength(body));
    reply.send(body);
  };
}
