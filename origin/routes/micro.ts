import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { cacheForever, neverStore } from './cache-headers.ts';
import { microPage, microWorker } from './micro-page.ts';
import { isolationHeaders } from './pages.ts';

/** Gives tasks to pages. An unexpected page gets `end`. */
export interface TaskSource {
  /** Receives a page's message; settles with its next task. */
  next(pageId: string, message: MicroMessage): Promise<MicroTask>;
}

/** Largest body that is served, bytes. */
export const largestEntryBytes = 64 * 1024 ** 2;
/** Maximum number of cached bodies; further bodies are created for each request. */
const mostBodies = 32;

/** Path of the page with this id, with or without a service worker. */
export function microPagePath(pageId: string, hasWorker: boolean): string {
  return `${hasWorker ? '/micro/worked' : '/micro'}/page/${pageId}`;
}

/**
 * Path of a resource that is read through a cache; `{key}` is replaced by its key. `mayStore` false: the response has
 * no-store.
 */
export function microEntryPath(cache: MicroCache, bytes: number, mayStore = true): string {
  const path =
    cache === 'blink'
      ? '/micro/script'
      : cache === 'service-worker'
        ? '/micro/worked/entry'
        : '/micro/entry';
  return `${path}/${bytes}?key={key}${mayStore ? '' : '&store=no'}`;
}

type EntryRequest = {
  Params: { bytes: string };
  Querystring: { store?: string };
};

/** Pages that perform the tasks of the micro-benchmarks by themselves, and the resources that they read. */
export function microRoutes(server: FastifyInstance, tasks: TaskSource): void {
  const isolated = { ...isolationHeaders, ...neverStore };
  const page = (path: string, hasWorker: boolean) =>
    server.get(`${path}/page/:pageId`, (_request, reply) =>
      reply.headers(isolated).type('text/html; charset=utf-8').send(microPage(hasWorker)),
    );
  page('/micro', false);
  page('/micro/worked', true);
  server.get('/micro/worked/page/worker.js', (_request, reply) =>
    reply.headers(isolated).type('text/javascript; charset=utf-8').send(microWorker()),
  );
  server.post<{ Params: { pageId: string }; Body: MicroMessage }>(
    '/micro/tasks/:pageId',
    async ({ params, body }, reply) =>
      reply.headers(neverStore).send(await tasks.next(params.pageId, body)),
  );
  server.get('/micro/clear', (_request, reply) =>
    reply.headers({ ...neverStore, 'clear-site-data': '"cache"' }).send(''),
  );
  entryRoutes(server);
}

function entryRoutes(server: FastifyInstance): void {
  const bodies = new Map<string, Buffer>();
  const bodyOf = (kind: string, bytes: number): Buffer => {
    const name = `${kind}/${bytes}`;
    const body = bodies.get(name) ?? makeBody(kind, bytes);
    if (bodies.size < mostBodies) bodies.set(name, body);
    return body;
  };
  const send =
    (kind: string, type: string) =>
    (request: { params: { bytes: string }; query: { store?: string } }, reply: FastifyReply) => {
      const bytes = Number(request.params.bytes);
      if (!(Number.isInteger(bytes) && bytes >= 1 && bytes <= largestEntryBytes))
        return reply.code(404).headers(neverStore).send();
      const caching = request.query.store === 'no' ? neverStore : cacheForever;
      return reply.headers(caching).type(type).send(bodyOf(kind, bytes));
    };
  for (const path of ['/micro', '/micro/worked'])
    server.get<EntryRequest>(`${path}/entry/:bytes`, send('entry', 'application/octet-stream'));
  server.get<EntryRequest>('/micro/script/:bytes', send('script', 'text/javascript'));
}

/**
 * The content does not matter: nothing is compressed in transfer. A script is one comment, so that running it takes no
 * time.
 */
function makeBody(kind: string, bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 'cachescope ');
  if (kind === 'script') {
    body.write('//', 0, 'latin1');
  }
  return body;
}
