import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopServiceWorker } from '../service-worker.ts';
import { openWatchedSite, type WatchedSite } from '../watched-site.ts';

const reads = 200;
const page = `<!doctype html><link rel="icon" href="data:,"><script>
  (async () => {
    for (let next = 0; next < ${reads}; next += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) =>
        fetch('/item/' + (next + index)).then((response) => response.arrayBuffer())));
    // Without its body read it may get no entry.
    await fetch('/done', { method: 'POST' }).then((response) => response.arrayBuffer());
  })();
</script>`;
let site: WatchedSite;
/** A request that is answered only after the service worker has stopped, so the worker stops while the page loads. */
let held: { path: string; until: Promise<void> } = { path: '', until: Promise.resolve() };

beforeAll(async () => {
  site = await openWatchedSite(async (path, response) => {
    if (path === held.path) await held.until;
    const isPage = path.startsWith('/page');
    response.writeHead(200, {
      'content-type': isPage ? 'text/html' : 'text/plain',
      'cache-control': 'no-store',
    });
    response.end(isPage ? page : 'body');
  });
});
afterAll(() => site?.close());

function itemsOf({ resources }: Load): Load['resources'] {
  return resources.filter(({ url }) => url.includes('/item/'));
}

/**
 * The page has reported all requests, and the witness has reported the last one or is known not to have watched at that
 * time.
 */
function isWhole(load: Load, depth: EvidenceDepth): boolean {
  const told = itemsOf(load).filter(({ evidence }) => evidence.page);
  const last = load.resources.find(({ url }) => url.endsWith('/done'));
  const isSettled =
    last?.evidence[depth] !== undefined ||
    load.warnings.join(' ').includes(`${depth} did not watch`);
  return told.length >= reads && isSettled;
}

const cases = (['page', 'webRequest', 'debugger'] as const).flatMap((depth) =>
  [5, 75, 175].map((atItem) => ({ depth, atItem })),
);

test.each(cases)(
  'at depth $depth a service worker stopped at item $atItem loses no resource, and unreported values stay unknown',
  async ({ depth, atItem }) => {
    const stopped = Promise.withResolvers<void>();
    held = { path: `/item/${atItem}`, until: stopped.promise };
    const path = `/page?${depth}-${atItem}`;
    await site.tell('globalThis.isFirst = true');
    const tabId = await site.begin(path, depth);
    await site.reached((each) => each === held.path);
    await stopServiceWorker(site.launched.browser);
    stopped.resolve();
    await site.reached((each) => each === '/done');
    const load = await site.loadWhen(path, (each) => isWhole(each, depth));
    expect(await site.tell('globalThis.isFirst === true')).toBe(false);
    const items = itemsOf(load);
    expect(items.map(({ url }) => url).toSorted()).toEqual(
      Array.from({ length: reads }, (_, index) => `${site.origin}/item/${index}`).toSorted(),
    );
    const sources = new Set(items.map(({ evidence }) => attribute(evidence).source));
    expect([...sources].filter((source) => source !== 'network' && source !== 'unknown')).toEqual(
      [],
    );
    // "Saw nothing" would be false: every one of them went over the network.
    if (depth !== 'page')
      expect(items.filter(({ evidence }) => evidence[depth] === null)).toEqual([]);
    const untold = depth === 'page' ? [] : items.filter(({ evidence }) => !evidence[depth]);
    if (untold.length > 0) expect(load.warnings.join(' ')).toContain(`${depth} did not watch`);
    await site.leave(tabId);
  },
);
