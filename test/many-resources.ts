import type { ServerResponse } from 'node:http';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load, Resource } from '@cachescope/model/load/load.ts';
import type { WatchedSite } from './watched-site.ts';

/** Number of resources that the page reads, that each of its two frames reads, and that its worker reads. */
export interface Counts {
  page: number;
  frame: number;
  worker: number;
}

const readAll = `
  async function readAll(prefix, count) {
    for (let next = 0; next < count; next += 50) {
      const urls = Array.from({ length: Math.min(50, count - next) }, (_, index) => prefix + (next + index));
      await Promise.all(urls.map((url) => fetch(url).then((response) => response.arrayBuffer())));
    }
  }`;

const pages: Readonly<Record<string, (query: URLSearchParams) => string>> = {
  '/frame': (query) =>
    `<script>${readAll} readAll('/item/${query.get('name')}', ${query.get('count')}).then(() => parent.postMessage('done'));</script>`,
  '/many': (query) => `
    <iframe src="/frame?name=a&count=${query.get('frame')}"></iframe>
    <iframe src="/frame?name=b&count=${query.get('frame')}"></iframe>
    <script>${readAll}
      let left = 4;
      const done = () => --left === 0 && fetch('/done', { method: 'POST' });
      addEventListener('message', done);
      new Worker('/worker.js?count=${query.get('worker')}').onmessage = done;
      readAll('/item/p', ${query.get('page')}).then(done);
    </script>`,
  '/hostile': () => `
    <script>
      performance.getEntriesByType = performance.getEntries = () => [];
      performance.clearResourceTimings();
      performance.setResourceTimingBufferSize(1);
      globalThis.PerformanceObserver = class { observe() {} disconnect() {} };
      Object.defineProperty(globalThis, 'performance', { value: { now: () => 0, timeOrigin: 0 } });
      Promise.all(['/item/x1', '/item/x2', '/item/x3'].map((url) => fetch(url).then((each) => each.text())))
        .then(() => fetch('/done', { method: 'POST' }));
    </script>`,
  '/flood': (query) => `
    <script>
      (async () => {
        for (let left = ${query.get('count')}; left > 0; left -= 100)
          await Promise.all(Array.from({ length: Math.min(100, left) }, () => fetch('/cached').then((each) => each.arrayBuffer())));
        await fetch('/done', { method: 'POST' });
      })();
    </script>`,
};

/** Path of a page that reads this many resources; `mark` distinguishes its load from others. */
export function manyPath({ page, frame, worker }: Counts, mark: string): string {
  return `/many?page=${page}&frame=${frame}&worker=${worker}&${mark}`;
}

/** Answers the requests of these pages. */
export function answerMany(path: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  const send = (type: string, body: string, policy = 'no-store') => {
    response.writeHead(200, { 'content-type': type, 'cache-control': policy });
    response.end(body);
  };
  const page = pages[pathname];
  if (page)
    send('text/html', `<!doctype html><link rel="icon" href="data:,">${page(searchParams)}`);
  else if (pathname === '/worker.js')
    send(
      'text/javascript',
      `${readAll} readAll('/item/w', ${searchParams.get('count')}).then(() => postMessage('done'));`,
    );
  else send('text/plain', `body of ${path}`, pathname === '/cached' ? 'max-age=3600' : 'no-store');
}

/** Paths of the resources of one kind, sorted. */
export function items(paths: readonly string[], letters: string): string[] {
  const wanted = new RegExp(`^/item/[${letters}]\\d+$`);
  return paths.filter((path) => wanted.test(path)).toSorted();
}

export function pathsOf(resources: readonly Resource[]): string[] {
  return resources.map(({ url }) => new URL(url).pathname);
}

/**
 * Whether each witness has reported everything it can see: the page its own and its frames' resources, the other
 * witness also the worker's.
 */
export function isComplete({ resources }: Load, counts: Counts, depth: EvidenceDepth): boolean {
  const toldBy = (each: EvidenceDepth, letters: string): number =>
    items(pathsOf(resources.filter(({ evidence }) => evidence[each])), letters).length;
  const inDocuments = counts.page + 2 * counts.frame;
  // The resources of a frame include its document.
  const inFrames = resources.filter(({ context }) => context === 'frame').length;
  if (toldBy('page', 'pab') < inDocuments || inFrames < 2 * (counts.frame + 1)) return false;
  return depth === 'page' || toldBy(depth, 'pabw') >= inDocuments + counts.worker;
}

/** Watches a load of the page at this depth until every witness has reported everything it can see. */
export async function loadOfMany(
  site: WatchedSite,
  counts: Counts,
  depth: EvidenceDepth,
  mark: string = depth,
): Promise<Load> {
  const path = manyPath(counts, mark);
  const tabId = await site.begin(path, depth);
  await site.reached((each) => each === '/done');
  const load = await site.loadWhen(path, (each) => isComplete(each, counts, depth));
  await site.leave(tabId);
  return load;
}
