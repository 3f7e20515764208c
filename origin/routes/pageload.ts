import { setTimeout as sleep } from 'node:timers/promises';
import type { Caching } from '@cachescope/model/pageload/page.ts';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { useAsDictionary } from '../dictionary/use-as-dictionary.ts';
import {
  type PageSite,
  pageDictionaryId,
  type ServedResource,
} from '../workloads/pageload-site.ts';
import { pageMatchPattern } from '../workloads/pageload-urls.ts';
import { neverStore } from './cache-headers.ts';
import { isolationHeaders } from './pages.ts';
import { readMethods, sendRepresentation } from './representation.ts';

/** A year: a fresh response stays fresh for the whole run. */
const cacheControl: Readonly<Record<Caching, string>> = {
  fresh: 'max-age=31536000',
  stale: 'no-cache',
  'no-store': 'no-store',
};

/** The page can connect only to this origin, whatever its bodies contain. */
const policy =
  "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'";

type ResourceRequest = { Params: { place: string; name: string } };

/**
 * The resources of a page, and their previous versions. Each response is delayed by `serverDelayMs`. A client with a
 * stored dictionary gets dcb; all others get the coding of the page's source.
 */
export function pageloadRoutes(
  server: FastifyInstance,
  { resources, variants }: PageSite,
  serverDelayMs: number,
): void {
  const find = ({ place, name }: ResourceRequest['Params']): ServedResource | undefined => {
    const resource = /^\d+$/.test(place) ? resources[Number(place)] : undefined;
    return resource?.name === name ? resource : undefined;
  };

  const caching: onSendHookHandler = (request, reply, payload, done) => {
    const resource = find(request.params as ResourceRequest['Params']);
    // A refusal is not the resource.
    if (resource && reply.statusCode < 400)
      reply.header('cache-control', cacheControl[resource.caching]);
    done(null, payload);
  };

  server.route<ResourceRequest>({
    method: readMethods,
    url: '/pageload/new/:place/:name',
    onSend: caching,
    async handler(request, reply) {
      if (serverDelayMs > 0) await sleep(serverDelayMs);
      const resource = find(request.params);
      if (!resource) return reply.code(404).headers(neverStore).send();
      const { representations, coding, type, asDictionary } = resource;
      const holds = request.logged.availableDictionary === representations.dictionary?.sha256;
      const pinned = asDictionary && holds ? 'dcb' : coding;
      if (type === 'document')
        reply.headers({ ...isolationHeaders, 'content-security-policy': policy });
      return sendRepresentation(request, reply, variants, representations, pinned);
    },
  });

  server.route<ResourceRequest>({
    method: readMethods,
    url: '/pageload/old/:place/:name',
    async handler(request, reply) {
      const { dictionary, contentType } = find(request.params)?.representations ?? {};
      if (!dictionary || contentType === undefined)
        return reply.code(404).headers(neverStore).send();
      const place = Number(request.params.place);
      reply.header(
        'use-as-dictionary',
        useAsDictionary({ match: pageMatchPattern(place), id: pageDictionaryId(place) }),
      );
      return sendRepresentation(request, reply, variants, { contentType, body: dictionary });
    },
  });

  server.get('/pageload/new/:place/~probe', (_request, reply) =>
    reply.headers(neverStore).type('text/plain; charset=utf-8').send('probe\n'),
  );
}
