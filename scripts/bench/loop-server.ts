import { randomBytes } from 'node:crypto';
import fastify from 'fastify';

/** A page that reads cached entries by itself, so that nothing drives it while it does. */
export interface LoopServer {
  /** URL of a new page that reads entries of the given sizes, each in its own quiet loop. */
  nextPage(sizes: readonly number[]): string;
  /** Settles when the page has filled its cache and waits for permission to read. */
  pageIsReady(pageUrl: string): Promise<void>;
  letPageRead(pageUrl: string): void;
  /** Read times in ms, one list a size. */
  timesOf(pageUrl: string): Promise<number[][]>;
  close(): Promise<void>;
}

const readsPerSize = 60;

/** Runs in the page: fills, waits for permission, lets the page settle, reads. */
const pageScript = `
const [, id] = location.pathname.split('/page/');
const sizes = new URLSearchParams(location.search).get('sizes').split(',');
const read = async (size) => {
  const start = performance.now();
  await (await fetch('/entry/' + size)).arrayBuffer();
  return performance.now() - start;
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
for (const size of sizes) await read(size);
await fetch('/ready/' + id, { method: 'POST' });
await pause(300);
const times = [];
for (const size of sizes) {
  const ofSize = [];
  for (let n = 0; n < ${readsPerSize}; n++) {
    ofSize.push(await read(size));
    await pause(2);
  }
  times.push(ofSize);
}
await fetch('/times/' + id, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(times) });
`;

interface WaitingPage {
  ready: PromiseWithResolvers<void>;
  mayRead: PromiseWithResolvers<void>;
  times: PromiseWithResolvers<number[][]>;
}

export async function startLoopServer(): Promise<LoopServer> {
  const pages: WaitingPage[] = [];
  const bodies = new Map<number, Buffer>();
  const idOf = (pageUrl: string) => Number(/\/page\/(\d+)/.exec(pageUrl)?.[1]);
  const pageOf = (id: number) => {
    const page = pages[id];
    if (!page) throw new Error(`no page ${id}`);
    return page;
  };
  const server = fastify();
  server.addHook('onRequest', async (_, reply) => {
    reply.headers({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
  });
  server.get('/page/:id', async (_, reply) => {
    reply.type('text/html').header('cache-control', 'no-store');
    return `<!doctype html><link rel="icon" href="data:,"><script type="module">${pageScript}</script>`;
  });
  server.get<{ Params: { bytes: string } }>('/entry/:bytes', async ({ params }, reply) => {
    const bytes = Number(params.bytes);
    const body = bodies.get(bytes) ?? randomBytes(bytes);
    bodies.set(bytes, body);
    reply.type('application/octet-stream').header('cache-control', 'public, max-age=3600');
    return body;
  });
  server.post<{ Params: { id: string } }>('/ready/:id', async ({ params }) => {
    const page = pageOf(Number(params.id));
    page.ready.resolve();
    await page.mayRead.promise;
    return {};
  });
  server.post<{ Params: { id: string }; Body: number[][] }>(
    '/times/:id',
    async ({ params, body }) => {
      pageOf(Number(params.id)).times.resolve(body);
      return {};
    },
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    nextPage(pageSizes) {
      pages.push({
        ready: Promise.withResolvers(),
        mayRead: Promise.withResolvers(),
        times: Promise.withResolvers(),
      });
      return `${url}/page/${pages.length - 1}?sizes=${pageSizes.join(',')}`;
    },
    pageIsReady: (pageUrl) => pageOf(idOf(pageUrl)).ready.promise,
    letPageRead: (pageUrl) => pageOf(idOf(pageUrl)).mayRead.resolve(),
    timesOf: (pageUrl) => pageOf(idOf(pageUrl)).times.promise,
    close: () => server.close(),
  };
}
