import { type Coding, codings, isCoding } from '@cachescope/model/coding.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mayUseDictionary } from '../dictionary/readable-response.ts';
import { useAsDictionary } from '../dictionary/use-as-dictionary.ts';
import { negotiateCoding } from '../encoding/negotiation.ts';
import type { Variant, VariantSource, VariantStore } from '../encoding/variants.ts';
import { matchPattern } from '../workloads/urls.ts';
import type { Workload } from '../workloads/workload.ts';
import { singleHeader } from './logging.ts';

/** A cache must keep answers to other Accept-Encoding and Available-Dictionary apart (RFC 9842 section 6.2). */
const varyOnCoding = 'accept-encoding, available-dictionary';

/** Timed reads must never find a stale entry: a year is the longest that caches honour. */
const cacheForever = 'public, max-age=31536000, immutable';

type WorkloadRequest = FastifyRequest<{ Params: { name: string; arm?: string } }>;

function notFound(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${message}\n`);
}

/** RFC 9110 section 13.1.2; weak comparison. */
function isNotModified(request: FastifyRequest, etag: string): boolean {
  const condition = request.headers['if-none-match'];
  if (condition === undefined) return false;
  return condition
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  variant: Variant,
  contentType: string,
): FastifyReply {
  reply.headers({
    vary: varyOnCoding,
    etag: variant.etag,
    'cache-control': cacheForever,
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isNotModified(request, variant.etag)) return reply.code(304).send();
  if (variant.coding !== 'identity') reply.header('content-encoding', variant.coding);
  return reply.type(contentType).send(variant.bytes);
}

function codingFor(
  request: FastifyRequest,
  dictionarySha256: string | null,
  pinned: Coding | undefined,
): Coding {
  const { headers } = request;
  const holdsDictionary =
    dictionarySha256 !== null && request.logged.availableDictionary === dictionarySha256;
  const readable = mayUseDictionary({
    secFetchSite: singleHeader(headers['sec-fetch-site']),
    secFetchMode: singleHeader(headers['sec-fetch-mode']),
    origin: headers.origin,
    allowOrigin: '*',
  });
  const acceptEncoding = singleHeader(headers['accept-encoding']);
  return negotiateCoding({ acceptEncoding, dictionaryUsable: holdsDictionary && readable, pinned });
}

/** The two versions of each workload: the older as dictionary, the newer negotiated or pinned to an arm's coding. */
export function workloadRoutes(
  server: FastifyInstance,
  workloads: readonly Workload[],
  variants: VariantStore,
): void {
  const byName = new Map(workloads.map((workload) => [workload.name, workload]));
  const names = [...byName.keys()].join(', ');

  const withWorkload =
    (
      answer: (
        workload: Workload,
        request: WorkloadRequest,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: WorkloadRequest, reply: FastifyReply) => {
      const workload = byName.get(request.params.name);
      if (!workload)
        return notFound(
          reply,
          `No workload is called ${JSON.stringify(request.params.name)}; there are ${names}.`,
        );
      return answer(workload, request, reply);
    };

  const sendResource = async (
    workload: Workload,
    pinned: Coding | undefined,
    request: WorkloadRequest,
    reply: FastifyReply,
  ) => {
    const source: VariantSource = {
      body: workload.resource,
      bodySha256: workload.resourceSha256,
      dictionary: workload.dictionary,
      dictionarySha256: workload.dictionarySha256,
    };
    const coding = codingFor(request, workload.dictionarySha256, pinned);
    return send(request, reply, await variants.get(coding, source), workload.contentType);
  };

  server.get(
    '/workloads/:name/dictionary',
    withWorkload(async (workload, request, reply) => {
      const { dictionary: body, dictionarySha256: bodySha256 } = workload;
      const coding = codingFor(request, null, undefined);
      const variant = await variants.get(coding, {
        body,
        bodySha256,
        dictionary: null,
        dictionarySha256: null,
      });
      const match = matchPattern(workload.name);
      reply.header('use-as-dictionary', useAsDictionary({ match, id: workload.name }));
      return send(request, reply, variant, workload.contentType);
    }),
  );
  server.get(
    '/workloads/:name/resource',
    withWorkload((workload, request, reply) => sendResource(workload, undefined, request, reply)),
  );
  server.get(
    '/workloads/:name/resource/:arm',
    withWorkload(async (workload, request, reply) => {
      const arm = request.params.arm ?? '';
      if (isCoding(arm)) return sendResource(workload, arm, request, reply);
      return notFound(
        reply,
        `No arm is called ${JSON.stringify(arm)}; there are ${codings.join(', ')}.`,
      );
    }),
  );
  server.get(
    '/workloads/:name/resource-probe',
    withWorkload(async (_, __, reply) => {
      reply.headers({ 'cache-control': 'no-store', vary: varyOnCoding });
      return reply.type('text/plain; charset=utf-8').send('probe\n');
    }),
  );
}
