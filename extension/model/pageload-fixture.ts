import type { Page, PageResource } from './pageload-page.ts';
import type { PageCell, PageLoad, ResourceRow } from './pageload-load.ts';

/** A resource of a page; `change` is laid over it. */
export function madeUpResource(change: Partial<PageResource> = {}): PageResource {
  return {
    url: 'https://site.example/app.js',
    name: 'app.js',
    type: 'script',
    mimeType: 'text/javascript',
    bodyBytes: 1000,
    wireShare: 0.3,
    coding: 'br',
    caching: 'fresh',
    parent: 0,
    priority: null,
    ...change,
  };
}

const document = { type: 'document', name: 'index', mimeType: 'text/html', parent: null } as const;

/** A page: a document that may not be served without asking, a script, and a beacon that is not kept. */
export const madeUpPage: Page = {
  source: 'made up',
  bodies: 'synthetic',
  resources: [
    madeUpResource({ ...document, caching: 'stale', bodyBytes: 2000 }),
    madeUpResource(),
    madeUpResource({ type: 'image', name: 'pixel.gif', caching: 'no-store', bodyBytes: 43 }),
  ],
};

/** How the resource at a place came from the network; `change` is laid over it. */
export function madeUpRow(place: number, change: Partial<ResourceRow> = {}): ResourceRow {
  return {
    place,
    source: 'network',
    startMs: place,
    responseStartMs: place + 5,
    endMs: place + 10,
    bodyBytes: madeUpPage.resources[place]?.bodyBytes ?? null,
    requests: 1,
    sentBytes: 300,
    coding: 'br',
    ...change,
  };
}

/** The rows of a load of an empty cache on which all witnesses agree. */
export const fetchedRows = [madeUpRow(0), madeUpRow(1), madeUpRow(2)];

const hit = { source: 'disk', requests: 0, sentBytes: 0, coding: null } as const;

/** The rows of a load from the disk cache on which all witnesses agree. */
export const cachedRows = [
  madeUpRow(0, { source: 'revalidated', sentBytes: 0, coding: null }),
  madeUpRow(1, hit),
  madeUpRow(2),
];

/** A load of an empty cache on ordinary storage. */
export const emptyCell: PageCell = { state: 'empty', arm: 'plain', storage: 'none', delayMs: 0 };

/** A load of a cell; `change` is laid over it. */
export function madeUpLoad(cell: Partial<PageCell>, change: Partial<PageLoad> = {}): PageLoad {
  const { state = 'empty' } = cell;
  return {
    sequence: 0,
    cell: { ...emptyCell, ...cell },
    launch: 0,
    pass: 0,
    takenAt: '2026-11-21T18:00:00.000Z',
    loadMs: 100,
    domContentLoadedMs: 80,
    finishMs: 110,
    rows: state === 'empty' ? fetchedRows : cachedRows,
    originRequests: 3,
    device: null,
    flags: [],
    ...change,
  };
}
