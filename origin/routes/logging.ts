import { isCoding } from '@cachescope/model/coding.ts';
import type { FastifyInstance } from 'fastify';
import { availableDictionary, dictionaryId } from '../dictionary/request-headers.ts';
import type { LoggedRequest, RequestLog } from '../request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** This request's line in the request log. */
    logged: LoggedRequest;
  }
}

/** A header that can come once only. Node joins or drops repetitions of it; an array would be one we do not expect. */
export function singleHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Writes every request to the log when it arrives, and completes its line when it is answered. */
export function logRequests(server: FastifyInstance, log: RequestLog): void {
  server.decorateRequest('logged');
  server.addHook('onRequest', async (request) => {
    const { headers } = request;
    request.logged = log.begin({
      receivedAt: new Date().toISOString(),
      method: request.method,
      path: request.url,
      host: request.host,
      availableDictionary: availableDictionary(singleHeader(headers['available-dictionary'])),
      dictionaryId: dictionaryId(singleHeader(headers['dictionary-id'])),
      acceptEncoding: singleHeader(headers['accept-encoding']) ?? null,
    });
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const coding = String(reply.getHeader('content-encoding') ?? 'identity');
    request.logged.contentCoding = isCoding(coding) ? coding : null;
    request.logged.status = reply.statusCode;
    if (request.method === 'HEAD' || payload === null || payload === undefined)
      request.logged.bodyBytes = 0;
    else if (typeof payload === 'string') request.logged.bodyBytes = Buffer.byteLength(payload);
    else if (payload instanceof Uint8Array) request.logged.bodyBytes = payload.byteLength;
  });
}
