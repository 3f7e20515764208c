import { codings, isCoding } from '@cachescope/model/coding.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { useAsDictionary } from '../dictionary/use-as-dictionary.ts';
import type { VariantStore } from '../encoding/variants.ts';
import { matchPattern } from '../workloads/urls.ts';
import type { Workload } from '../workloads/workload.ts';
import { neverStore, openToAll, varyOnCoding } from './cache-headers.ts';
import { type Representations, sendRepresentation, readMethods } from './representation.ts';

/** The newer version of a workload, with the older one as its dictionary. */
export function representationsOf(workload: Workload): Representations {
  const { contentType, name } = workload;
  return {
    contentType,
    body: { bytes: workload.resource, sha256: workload.resourceSha256 },
    dictionary: { bytes: workload.dictionary, sha256: workload.dictionarySha256 },
    dictionaryId: name,
  };
}

/** A workload with its served representations. */
function serve(workload: Workload) {
  const { contentType, name, dictionary, dictionarySha256 } = workload;
  return {
    dictionary: { contentType, body: { bytes: dictionary, sha256: dictionarySha256 } },
    useAsDictionary: useAsDictionary({ match: matchPattern(name), id: name }),
    resource: representationsOf(workload),
  };
}

type WorkloadRequest = FastifyRequest<{ Params: { name: string; arm: string } }>;
type Answer = (
  workload: ReturnType<typeof serve>,
  request: WorkloadRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | FastifyReply;

function sendUnknown(
  reply: FastifyReply,
  kind: string,
  name: string,
  known: Iterable<string>,
): FastifyReply {
  const message = `No ${kind} is called ${JSON.stringify(name)}; there are ${[...known].join(', ')}.`;
  reply.code(404).headers({ ...neverStore, ...varyOnCoding, ...openToAll });
  return reply.type('text/plain; charset=utf-8').send(`${message}\n`);
}

/** The two versions of each workload: the older as dictionary, the newer negotiated or pinned to an arm's coding. */
export function workloadRoutes(
  server: FastifyInstance,
  workloads: readonly Workload[],
  variants: VariantStore,
): void {
  const served = new Map(workloads.map((workload) => [workload.name, serve(workload)]));

  const get = (url: string, answer: Answer) =>
    server.route({
      method: readMethods,
      url,
      handler(request: WorkloadRequest, reply) {
        const { name } = request.params;
        const workload = served.get(name);
        if (!workload) return sendUnknown(reply, 'workload', name, served.keys());
        return answer(workload, request, reply);
      },
    });

  get('/workloads/:name/dictionary', (workload, request, reply) => {
    reply.header('use-as-dictionary', workload.useAsDictionary);
    return sendRepresentation(request, reply, variants, workload.dictionary);
  });
  get('/workloads/:name/resource', (workload, request, reply) =>
    sendRepresentation(request, reply, variants, workload.resource),
  );
  const pinned: Answer = (workload, request, reply) => {
    const { arm } = request.params;
    if (!isCoding(arm)) return sendUnknown(reply, 'arm', arm, codings);
    return sendRepresentation(request, reply, variants, workload.resource, arm);
  };
  get('/workloads/:name/resource/:arm', pinned);
  get('/workloads/:name/plain/:arm', pinned);
  get('/workloads/:name/resource-probe', (_workload, _request, reply) => {
    reply.headers({ ...neverStore, ...varyOnCoding, ...openToAll });
    return reply.type('text/plain; charset=utf-8').send('probe\n');
  });
}
