import { setTimeout as sleep } from 'node:timers/promises';
import { account, type FixSituation } from './account.ts';
import { parts } from './origin.ts';

/** The parts of a slow body, numbered from 0. */
export const moments = Array.from({ length: parts }, (_, index) => index);

/**
 * Decoded bytes that a reader surely has when the origin has sent some parts of a body: the decoder may keep the last
 * block of 128 KiB.
 */
const bytesOf = (sent: number, bodyBytes: number): number =>
  Math.max(1, Math.floor(((sent - 1.5) * bodyBytes) / parts));

const aborts = moments.map((moment): FixSituation => ({
  name: `reader aborts after ${moment + 1} of ${parts} parts`,
  query: `slow&held=${moment + 1}`,
  play(room, url) {
    const abortAfterBytes = bytesOf(moment + 1, room.origin.bodies.text.length);
    return room.readEach(url, { abortAfterBytes }, {}, {});
  },
}));

const deaths = moments.map((moment): FixSituation => ({
  name: `origin dies after ${moment} of ${parts} parts`,
  query: `slow&dies=${moment}`,
  play: (room, url) => room.readEach(url, {}, {}, {}),
}));

/** Situations of pages in one browser: aborted and failed responses, several readers, other caches, other sites. */
export const pageSituations: readonly FixSituation[] = [
  ...aborts,
  ...deaths,
  {
    name: '304 with other header fields',
    query: 'cc=no-cache',
    async play(room, url) {
      const reads = await room.readEach(url, {}, {}, {});
      const times = reads.map(({ time }) => `X-Time ${time}`);
      return account(room, url, reads, times);
    },
  },
  {
    name: 'stale-while-revalidate',
    query: 'cc=max-age=0,stale-while-revalidate=600',
    async play(room, url) {
      const reads = await room.readEach(url, {}, {});
      while (room.askedFor(url).length < 2) await sleep(20);
      return reads;
    },
  },
  {
    name: 'five readers of one response',
    query: 'slow',
    async play(room, url) {
      const all = await Promise.all(moments.slice(0, 5).map(() => room.read(url)));
      const bodies = all.map(({ body }) => body);
      return account(room, url, [await room.read(url)], bodies);
    },
  },
  {
    name: 'first of two readers aborts',
    query: 'slow',
    async play(room, url) {
      const first = room.read(url, { abortAfterBytes: 300_000 });
      const second = room.read(url);
      const bodies = [(await first).body, (await second).body];
      return account(room, url, [await room.read(url)], bodies);
    },
  },
  {
    name: 'script twice, and after a reload (memory cache)',
    query: 'body=small',
    async play(room, url) {
      const page = await room.newPage();
      const reads = [await room.loadScript(url, page), await room.loadScript(url, page)];
      await page.reload();
      reads.push(await room.loadScript(url, page));
      await page.close();
      return reads;
    },
  },
  {
    name: 'Cache Storage, from the network',
    async play(room, url) {
      const stored = await room.addToCacheStorage(url);
      const reads = await room.readEach(url, { isInCacheStorage: true }, {});
      return account(room, url, reads, [stored]);
    },
  },
  {
    name: 'Cache Storage, from a stored response',
    async play(room, url) {
      const first = await room.read(url);
      const stored = await room.addToCacheStorage(url);
      const match = await room.read(url, { isInCacheStorage: true });
      return account(room, url, [first, match], [stored]);
    },
  },
  {
    // Chromium advertises no dictionary in such requests.
    name: 'no-cors (opaque) from another site, then CORS',
    async play(room, path) {
      const url = room.origin.otherSite + path;
      const opaque = `fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then((r) => r.type)`;
      const type = (await room.page.evaluate(opaque)) as string;
      return account(room, path, await room.readEach(url, {}, {}), [type]);
    },
  },
  {
    // Nor here.
    name: 'the same URL from another site (partition)',
    async play(room, url) {
      const reads = await room.readEach(url, {}, {});
      const page = await room.newPage(room.origin.otherSite);
      for (let time = 0; time < 2; time++)
        reads.push(await room.read(room.origin.url + url, {}, page));
      await page.close();
      return reads;
    },
  },
  {
    name: 'memory-only cache of a private window',
    async play(room, url) {
      const context = await room.browser.createBrowserContext();
      const page = await room.newPage(room.origin.url, context);
      await room.holdDictionary(page);
      const reads = [await room.read(url, {}, page), await room.read(url, {}, page)];
      await context.close();
      return reads;
    },
  },
];
