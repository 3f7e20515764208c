import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdsDictionary } from '../dictionary/held-dictionary.ts';
import { mayUseDictionary } from '../dictionary/readable-response.ts';
import { isMismatch, isNotModified } from '../edge/conditional.ts';
import { type Negotiation, negotiateCoding } from '../encoding/negotiation.ts';
import type { VariantSource, VariantStore } from '../encoding/variants.ts';
import {
  cacheForever,
  cacheForeverPrivately,
  neverStore,
  openToAll,
  varyOnCoding,
} from './cache-headers.ts';
import { header } from './logging.ts';

/** A resource whose representations differ only in content coding. */
export interface Representations extends VariantSource {
  contentType: string;
  /** Id of the dictionary; without it no dictionary coding is served. */
  dictionaryId?: string;
}

/** Whether the client has stored the resource's dictionary. */
function isDictionaryHeld(request: FastifyRequest, resource: Representations): boolean {
  const { dictionary, dictionaryId: id } = resource;
  if (!dictionary || id === undefined) return false;
  return holdsDictionary(request.logged, { sha256: dictionary.sha256, id });
}

/** Whether the requesting page may read the response, so that compression with the dictionary leaks nothing to it. */
function isReadable(request: FastifyRequest): boolean {
  return mayUseDictionary({
    secFetchSite: header(request, 'sec-fetch-site'),
    secFetchMode: header(request, 'sec-fetch-mode'),
    origin: request.headers.origin,
    allowOrigin: openToAll['access-control-allow-origin'],
  });
}

/** Fastify's own HEAD route would add `Content-Length: 0` to a 304, against RFC 9110 section 8.6. */
export const readMethods = ['GET', 'HEAD'];

/** Answers with the resource in the negotiated coding, or in the pinned one if the request accepts it. */
export async function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  variants: VariantStore,
  resource: Representations,
  pinned?: Negotiation['pinned'],
): Promise<FastifyReply> {
  reply.headers({ ...varyOnCoding, ...openToAll });
  const acceptEncoding = header(request, 'accept-encoding');
  const isHeld = isDictionaryHeld(request, resource);
  const dictionaryUsable = isHeld && isReadable(request);
  const coding = negotiateCoding({ acceptEncoding, dictionaryUsable, pinned });
  if (coding === null) return sendNotAcceptable(reply, acceptEncoding);
  const variant = await variants.get(coding, resource);
  reply.headers({ ...(isHeld ? cacheForeverPrivately : cacheForever), etag: variant.etag });
  if (isMismatch(request.headers, variant.etag)) return reply.code(412).headers(neverStore).send();
  if (isNotModified(request.headers, { etag: variant.etag })) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(resource.contentType).send(variant.bytes);
}

/** RFC 9110 section 15.5.7: the client refused all available codings, including identity. */
function sendNotAcceptable(reply: FastifyReply, acceptEncoding: string | undefined): FastifyReply {
  const message = `Accept-Encoding ${JSON.stringify(acceptEncoding)} refuses every coding of this resource; allow identity.`;
  return reply.code(406).headers(neverStore).type('text/plain; charset=utf-8').send(`${message}\n`);
}
