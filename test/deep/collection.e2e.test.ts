import type { Load } from '@cachescope/model/load/load.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBusyProcesses } from '../../scripts/busy-processes.ts';
import { answerMany, items, loadOfMany, pathsOf } from '../many-resources.ts';
import { openWatchedSite, type WatchedSite } from '../watched-site.ts';

/** 5,000 resources: 2,000 in the page, 1,000 in each of two frames, 1,000 in a worker. */
const counts = { page: 2000, frame: 1000, worker: 1000 };
let site: WatchedSite;

beforeAll(async () => {
  site = await openWatchedSite(answerMany);
});
afterAll(() => site?.close());

test('page depth records each of 4,000 resources of a document and its frames exactly once', async () => {
  const load = await loadOfMany(site, counts, 'page');
  const seen = items(pathsOf(load.resources), 'pab');
  expect(seen).toEqual(items(site.requests, 'pab'));
  expect(seen).toHaveLength(counts.page + 2 * counts.frame);
  expect(load.warnings).toEqual([]);
});

test.each([
  ['debugger', 0],
  ['webRequest', 0],
  ['webRequest', 4],
] as const)(
  'depth %s records all 5,000 resources, beside %i busy processes, each paired with the record of the page',
  async (depth, busyCount) => {
    const busy = startBusyProcesses(busyCount);
    try {
      const load = await loadOfMany(site, counts, depth, `${depth}-${busyCount}`);
      const seen = items(pathsOf(load.resources), 'pabw');
      expect(seen).toEqual(items(site.requests, 'pabw'));
      expect(seen).toHaveLength(counts.page + 2 * counts.frame + counts.worker);
      const ofPage = load.resources.filter(({ url }) => /\/item\/[pab]\d+$/.test(url));
      expect(ofPage.filter(({ evidence }) => !evidence.page || !evidence[depth])).toEqual([]);
      expect(load.resources.filter(({ unpaired }) => unpaired)).toEqual([]);
    } finally {
      busy.end();
    }
  },
);

test('21,000 reads of one URL are recorded, although the browser buffers only 20,000 entries', async () => {
  const reads = 21_000;
  const path = `/flood?count=${reads}`;
  const tabId = await site.begin(path, 'page');
  await site.reached((each) => each === '/done');
  const kept = ({ resources }: Load): number =>
    pathsOf(resources).filter((each) => each === '/cached').length;
  const load = await site.loadWhen(path, (each) => kept(each) >= reads);
  expect(kept(load)).toBe(reads);
  expect(site.requests.filter((each) => each === '/cached')).toHaveLength(1);
  await site.leave(tabId);
});
