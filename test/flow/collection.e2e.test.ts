import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerMany, isComplete, items, loadOfMany, manyPath, pathsOf } from '../many-resources.ts';
import { stopServiceWorker } from '../service-worker.ts';
import { openWatchedSite, type WatchedSite } from '../watched-site.ts';

const counts = { page: 200, frame: 100, worker: 100 };
let site: WatchedSite;

beforeAll(async () => {
  site = await openWatchedSite(answerMany);
});
afterAll(() => site?.close());

test('page depth records every resource of a document and its frames exactly once', async () => {
  const load = await loadOfMany(site, counts, 'page');
  const seen = items(pathsOf(load.resources), 'pab');
  expect(seen).toEqual(items(site.requests, 'pab'));
  expect(seen).toHaveLength(counts.page + 2 * counts.frame);
  expect(load.warnings).toEqual([]);
  // The resources of a frame include its document.
  const inFrames = load.resources.filter(({ context }) => context === 'frame');
  expect(inFrames).toHaveLength(2 * (counts.frame + 1));
});

test.each(['debugger', 'webRequest'] as const)(
  'depth %s also records the resources of the worker, each paired with the record of the page',
  async (depth) => {
    const load = await loadOfMany(site, counts, depth);
    // On failure, the times of each request show why two records were not paired.
    const apart = load.resources
      .filter(({ unpaired }) => unpaired)
      .map(({ url, startMs, durationMs, evidence }) => ({ url, startMs, durationMs, evidence }));
    expect(apart).toEqual([]);
    const seen = items(pathsOf(load.resources), 'pabw');
    expect(seen).toEqual(items(site.requests, 'pabw'));
  },
);

test('a page that replaces performance and PerformanceObserver hides no resource', async () => {
  const tabId = await site.begin('/hostile', 'page');
  const load = await site.loadWhen(
    '/hostile',
    ({ resources }) => items(pathsOf(resources), 'x').length >= 3,
  );
  expect(items(pathsOf(load.resources), 'x')).toEqual(['/item/x1', '/item/x2', '/item/x3']);
  await site.leave(tabId);
});

test('no resource is lost when the service worker is stopped midway', async () => {
  const path = manyPath(counts, 'stop');
  const tabId = await site.begin(path, 'page');
  await site.reached((each) => each.startsWith('/item/'), 100);
  await stopServiceWorker(site.launched.browser);
  await site.reached((each) => each === '/done');
  // The next batch from the page restarts the service worker; the page sends the last batch when it is idle.
  const load = await site.loadWhen(path, (each) => isComplete(each, counts, 'page'));
  const asked = items(site.requests, 'pab');
  expect(asked).toHaveLength(counts.page + 2 * counts.frame);
  expect(items(pathsOf(load.resources), 'pab')).toEqual(asked);
  await site.leave(tabId);
});
