import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';

/** Resources of a measured page load, and bytes of each. */
const resourcesPerLoad = 300;
const resourceBytes = 2048;
/** Idle time between permission and the start, ms: the observer's preparations end within it. */
const settleMs = 150;

/** A page performs its task by itself once permitted, so that nothing drives it while its clock runs. */
export type Task =
  /** Reads cached entries of some sizes, each repeatedly. */
  | { kind: 'read'; entries: readonly { bytes: number; reads: number }[] }
  /**
   * Navigates to a page of 300 resources. Pages of one set share them: the first load of a set is cold, later ones are
   * warm.
   */
  | { kind: 'load'; set: string }
  /** Navigates to a page of so many images, none of which is cached. */
  | { kind: 'images'; set: string; count: number };

/** A page that has a task. */
export interface TaskPage {
  url: string;
  /** Settles when the page has loaded, has populated its cache, and waits. */
  ready: Promise<void>;
  begin(): void;
  /**
   * Times of the reads, one list per entry, or of the one load until its load event, ms. Empty when the task failed.
   */
  times: Promise<number[][]>;
}

export type TaskServer = Awaited<ReturnType<typeof startTaskServer>>;

/** A page with its task, and the moments of its life. */
function waitingFor(task: Task) {
  return {
    task,
    ready: Promise.withResolvers<void>(),
    mayBegin: Promise.withResolvers<void>(),
    times: Promise.withResolvers<number[][]>(),
  };
}
type Waiting = ReturnType<typeof waitingFor>;

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const tell = `const tell = (path, body) => fetch(path, { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) => answer.json());`;

const taskScript = `
const id = location.pathname.split('/').at(-1);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const read = async (bytes) => {
  const start = performance.now();
  await (await fetch('/entry/' + bytes)).arrayBuffer();
  return performance.now() - start;
};
const task = await (await fetch('/what/' + id)).json();
for (const { bytes } of task.entries ?? []) await read(bytes);
await tell('/ready/' + id, {});
await pause(${settleMs});
if (task.kind === 'load') location.replace('/load/' + task.set + '/' + id);
else if (task.kind === 'images') location.replace('/images/' + task.set + '/' + task.count + '/' + id);
else {
  const times = [];
  for (const { bytes, reads } of task.entries) {
    const own = [];
    for (let n = 0; n < reads; n++) {
      own.push(await read(bytes));
      await pause(2);
    }
    times.push(own);
  }
  await tell('/times/' + id, times);
}`;

/** The page counts its resources, so that a load with failed resources is never counted as a fast one. */
const loadScript = (resources: number) => `
addEventListener('load', () => {
  const loadMs = performance.now();
  const loaded = performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/part/')).length;
  const id = location.pathname.split('/').at(-1);
  setTimeout(() => tell('/times/' + id, loaded === ${resources} ? [[loadMs]] : []), 0);
});
performance.setResourceTimingBufferSize(${resources + 1000});`;

function imagesPage(set: string, count: number): string {
  const images = Array.from(
    { length: count },
    (_, index) => `<img alt="" src="/part/${set}/${index}.gif">`,
  );
  return `${head}<script>${tell}${loadScript(count)}</script>${images.join('\n')}`;
}

function loadPage(set: string): string {
  const elements = Array.from({ length: resourcesPerLoad }, (_, index) => {
    const path = `/part/${set}/${index}`;
    if (index % 3 === 0) return `<script async src="${path}.js"></script>`;
    return index % 3 === 1
      ? `<link rel="stylesheet" href="${path}.css">`
      : `<img alt="" src="${path}.svg">`;
  });
  return `${head}<script>${tell}${loadScript(resourcesPerLoad)}</script>${elements.join('\n')}`;
}

const padding = randomBytes(resourceBytes / 2).toString('hex');
/** One transparent pixel; what follows it is not read. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** Type and body of each kind of resource. */
const parts: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  gif: ['image/gif', Buffer.concat([pixel, randomBytes(resourceBytes)])],
  js: ['text/javascript', `/*${padding}*/`],
  css: ['text/css', `/*${padding}*/`],
  svg: ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><!--${padding}--></svg>`],
};

/**
 * Starts the server of pages that measure themselves. Its pages are cross-origin isolated, so that they have the fine
 * clock.
 */
export async function startTaskServer() {
  const pages: Waiting[] = [];
  const server = fastify({ forceCloseConnections: true });
  server.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
  });
  contentRoutes(server);
  taskRoutes(server, pages);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    page(task: Task): TaskPage {
      const waiting = waitingFor(task);
      pages.push(waiting);
      return {
        url: `${url}/task/${pages.length - 1}`,
        ready: waiting.ready.promise,
        begin: waiting.mayBegin.resolve,
        times: waiting.times.promise,
      };
    },
    close: () => server.close(),
  };
}

function contentRoutes(server: FastifyInstance): void {
  const bodies = new Map<number, Buffer>();
  const forever = 'public, max-age=3600';
  server.get<{ Params: { bytes: string } }>('/entry/:bytes', async ({ params }, reply) => {
    const bytes = Number(params.bytes);
    const body = bodies.get(bytes) ?? randomBytes(bytes);
    bodies.set(bytes, body);
    return reply.type('application/octet-stream').header('cache-control', forever).send(body);
  });
  server.get<{ Params: { set: string } }>('/load/:set/:id', async ({ params }, reply) =>
    reply.type('text/html').header('cache-control', 'no-store').send(loadPage(params.set)),
  );
  server.get<{ Params: { set: string; count: string } }>(
    '/images/:set/:count/:id',
    async ({ params }, reply) =>
      reply
        .type('text/html')
        .header('cache-control', 'no-store')
        .send(imagesPage(params.set, Number(params.count))),
  );
  server.get<{ Params: { name: string } }>('/part/:set/:name', async ({ params }, reply) => {
    const [type, body] = parts[params.name.split('.').at(-1) ?? ''] ?? [];
    if (!type) return reply.code(404).send();
    return reply.type(type).header('cache-control', forever).send(body);
  });
}

function taskRoutes(server: FastifyInstance, pages: readonly Waiting[]): void {
  const pageOf = (id: string) => {
    const page = pages[Number(id)];
    if (!page) throw new Error(`no page ${id}`);
    return page;
  };
  type Request = { Params: { id: string } };
  server.get('/task/:id', async (_, reply) =>
    reply
      .type('text/html')
      .header('cache-control', 'no-store')
      .send(`${head}<script type="module">${tell}${taskScript}</script>`),
  );
  server.get<Request>('/what/:id', async ({ params }, reply) =>
    reply.header('cache-control', 'no-store').send(pageOf(params.id).task),
  );
  server.post<Request>('/ready/:id', async ({ params }) => {
    const page = pageOf(params.id);
    page.ready.resolve();
    await page.mayBegin.promise;
    return {};
  });
  server.post<Request & { Body: number[][] }>('/times/:id', async ({ params, body }) => {
    pageOf(params.id).times.resolve(body);
    return {};
  });
}
