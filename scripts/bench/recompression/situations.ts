import { cacheEntries } from '../../../harness/browser/disk-cache.ts';
import { join } from 'node:path';
import { type FixOrigin, parts } from './origin.ts';
import { type How, type Read, Room } from './room.ts';

/**
 * A situation, played with or without the fix. Its result is a list of lines: the pages' results and the requests at
 * the origin.
 */
export interface FixSituation {
  name: string;
  /** Plays in a room shared with other situations; its URLs are its own. */
  play?: (room: Room, url: (query?: string) => string) => Promise<string[]>;
  /** Plays in separate rooms, which it opens and closes. */
  playAlone?: (origin: FixOrigin, fix: boolean) => Promise<string[]>;
}

const word = ({ body, status, source }: Read): string => `${status ?? '-'} ${body} from ${source}`;

/** The requests at the origin, as `GET 200, GET 206 bytes=0-9`. */
function asked(room: Room, url: string): string {
  const requests = room
    .askedFor(url)
    .map(({ method, range, status }) =>
      [method, status, ...(range === null ? [] : [range])].join(' '),
    );
  return `origin: ${requests.join(', ') || 'nothing'}`;
}

/** The results of the reads, one after another, then the requests at the origin. */
async function reads(room: Room, url: string, ...hows: readonly How[]): Promise<string[]> {
  const lines: string[] = [];
  for (const how of hows) lines.push(word(await room.read(url, how)));
  return [...lines, asked(room, url)];
}

const ranged = (range: string, headers = {}): How => ({
  init: { headers: { Range: range, ...headers } },
});
const cached = (cache: string): How => ({ init: { cache } });

const simple: readonly [name: string, query: string, ...hows: How[]][] = [
  ['whole, dcz', 'coding=dcz', {}, {}],
  ['whole, dcb', 'coding=dcb', {}, {}],
  ['bytes that do not compress', 'body=noise', { body: 'noise' }, { body: 'noise' }],
  ['900 bytes', 'body=small', { body: 'small' }, { body: 'small' }],
  ['an empty body', 'body=empty', { body: 'empty' }, { body: 'empty' }],
  ['range of a stored response', '', {}, ranged('bytes=1000-1999'), {}],
  ['open range of a stored response', '', {}, ranged('bytes=5000-'), {}],
  ['last bytes of a stored response', '', {}, ranged('bytes=-500'), {}],
  ['range before the whole', '', ranged('bytes=1000-1999'), {}, {}],
  ['range that the origin answers whole', 'whole', {}, ranged('bytes=1000-1999'), {}],
  [
    'If-Range with the stored validator',
    '',
    {},
    ranged('bytes=1000-1999', { 'If-Range': '"1"' }),
    {},
  ],
  ['HEAD of a stored response', '', {}, { init: { method: 'HEAD' } }, {}],
  ['HEAD before the whole', '', { init: { method: 'HEAD' } }, {}, {}],
  ['304 when stale', 'cc=no-cache', {}, {}, {}],
  ['200 instead of a 304', 'cc=no-cache&changed', {}, {}, {}],
  ['cache: no-cache', '', {}, cached('no-cache'), {}],
  ['cache: reload', '', {}, cached('reload'), {}],
  ['cache: no-store', '', {}, cached('no-store'), {}],
  ['cache: force-cache when stale', 'cc=max-age=0', {}, cached('force-cache')],
  ['cache: only-if-cached', '', {}, { init: { cache: 'only-if-cached', mode: 'same-origin' } }],
  ['response with no-store', 'cc=no-store', {}, {}],
  ['another Vary', '', {}, { init: { headers: { 'X-Vary': '2' } } }, {}],
  ['POST between', '', {}, { init: { method: 'POST' } }, {}],
];

const moments = Array.from({ length: parts }, (_, index) => index);

const situations: FixSituation[] = [
  ...simple.map(([name, query, ...hows]): FixSituation => ({
    name,
    play: (room, url) => reads(room, url(query), ...hows),
  })),
  ...moments.map((moment): FixSituation => ({
    name: `reader aborts after ${moment + 1} of ${parts} parts`,
    async play(room, urlOf) {
      const url = urlOf('slow');
      const bytes = Math.floor(((moment + 0.5) * room.origin.bodies['text']!.length) / parts);
      return reads(room, url, { abortAfterBytes: bytes }, {}, {});
    },
  })),
  ...moments.map((moment): FixSituation => ({
    name: `origin dies after ${moment} of ${parts} parts`,
    play: (room, url) => reads(room, url(`slow&dies=${moment}`), {}, {}, {}),
  })),
  {
    name: '304 with other header fields',
    async play(room, urlOf) {
      const url = urlOf('cc=no-cache');
      const times: (string | null)[] = [];
      for (let index = 0; index < 3; index++) times.push((await room.read(url)).time);
      return [`X-Time ${times.join(', ')}`, asked(room, url)];
    },
  },
  {
    name: 'stale-while-revalidate',
    async play(room, urlOf) {
      const url = urlOf('cc=max-age=0,stale-while-revalidate=600');
      const lines = [word(await room.read(url)), word(await room.read(url))];
      while (room.askedFor(url).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      return [...lines, asked(room, url)];
    },
  },
  {
    name: 'five readers of one response',
    async play(room, urlOf) {
      const url = urlOf('slow');
      const all = await Promise.all(moments.slice(0, 5).map(() => room.read(url)));
      return [...all.map(({ body }) => body), word(await room.read(url)), asked(room, url)];
    },
  },
  {
    name: 'first of two readers aborts',
    async play(room, urlOf) {
      const url = urlOf('slow');
      const first = room.read(url, { abortAfterBytes: 300_000 });
      const second = room.read(url);
      const lines = [(await first).body, (await second).body, word(await room.read(url))];
      return [...lines, asked(room, url)];
    },
  },
  {
    name: 'script twice, and after a navigation (memory cache)',
    async play(room, urlOf) {
      const url = urlOf('body=small');
      const page = await room.newPage();
      const load = `new Promise((resolve) => { const s = document.createElement('script');
        s.src = ${JSON.stringify(url)}; s.onload = () => resolve('loaded'); s.onerror = () => resolve('error'); document.head.append(s); })`;
      const lines = [await page.evaluate(load), await page.evaluate(load)] as string[];
      await page.reload();
      lines.push((await page.evaluate(load)) as string);
      await page.close();
      return [...lines, asked(room, url)];
    },
  },
  {
    name: 'Cache Storage',
    async play(room, urlOf) {
      const url = urlOf();
      const put = `caches.open('c').then((c) => c.add(${JSON.stringify(url)})).then(() => 'stored')`;
      const stored = (await room.page.evaluate(put)) as string;
      const hash = `caches.match(${JSON.stringify(url)}).then((r) => r.arrayBuffer()).then((b) => b.byteLength)`;
      return [
        stored,
        `${String(await room.page.evaluate(hash))} bytes`,
        word(await room.read(url)),
        asked(room, url),
      ];
    },
  },
  {
    name: 'no-cors (opaque) from another site, then CORS',
    async play(room, urlOf) {
      const url = room.origin.otherSite + urlOf();
      const opaque = `fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then((r) => r.type)`;
      const type = (await room.page.evaluate(opaque)) as string;
      const read = await room.read(url);
      return [type, read.body, asked(room, url.slice(room.origin.otherSite.length))];
    },
  },
  {
    name: 'the same URL from another site (partition)',
    async play(room, urlOf) {
      const url = urlOf();
      const lines = [word(await room.read(url)), word(await room.read(url))];
      const page = await room.newPage(room.origin.otherSite);
      const other = await room.read(room.origin.url + url, {}, page);
      await page.close();
      return [...lines, `other site: ${other.body} from ${other.source}`, asked(room, url)];
    },
  },
  {
    name: 'memory-only cache of a private window',
    async play(room, urlOf) {
      const context = await room.browser.createBrowserContext();
      const page = await room.newPage(room.origin.url, context);
      await room.read('/dictionary', { body: 'any' }, page);
      const url = urlOf();
      const lines = [word(await room.read(url, {}, page)), word(await room.read(url, {}, page))];
      await context.close();
      return lines;
    },
  },
  {
    name: 'service worker that passes through',
    async playAlone(origin, fix) {
      return inRoom(origin, fix, [], async (room) => {
        await room.page.evaluate(
          `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`,
        );
        await room.page.reload();
        const url = '/r/worker';
        return [(await room.read(url)).body, (await room.read(url)).body];
      });
    },
  },
  ...['simple', 'blockfile', 'sql'].map((backEnd): FixSituation => ({
    name: `back end ${backEnd}: hit, and hit after a restart`,
    playAlone: (origin, fix) =>
      inRoom(
        origin,
        fix,
        [`--enable-features=DiskCacheBackendExperiment:backend/${backEnd}`],
        async (room) => {
          const url = `/r/${backEnd}?fix=${fix}`;
          const lines = [word(await room.read(url)), word(await room.read(url))];
          await room.stop();
          await room.start(fix);
          return [...lines, word(await room.read(url)), asked(room, url)];
        },
      ),
  })),
  {
    name: 'cache of 1 MiB that is full while a response is stored',
    playAlone: (origin, fix) =>
      inRoom(origin, fix, ['--disk-cache-size=1048576'], async (room) => {
        const lines: string[] = [];
        for (let index = 0; index < 6; index++) {
          const url = `/r/full?fix=${fix}&n=${index}`;
          lines.push((await room.read(url)).body, (await room.read(url)).body);
        }
        return lines;
      }),
  },
  {
    name: 'features turned over after a restart, and back',
    playAlone: (origin, fix) =>
      inRoom(origin, fix, [], async (room) => {
        const url = `/r/turned?fix=${fix}`;
        const lines = [word(await room.read(url))];
        for (const now of [!fix, fix]) {
          await room.stop();
          await room.start(now);
          lines.push(word(await room.read(url)), word(await room.read(url)));
        }
        return [...lines, asked(room, url)];
      }),
  },
  ...moments.map((moment): FixSituation => ({
    name: `browser killed after ${moment + 1} of ${parts} parts`,
    playAlone: (origin, fix) =>
      inRoom(origin, fix, [], async (room) => {
        const url = `/r/killed?slow&moment=${moment}&fix=${fix}`;
        const sent = new Promise<void>((resolve) => {
          origin.onPart = (each, part) => {
            if (each === url && part === moment + 1) resolve();
          };
        });
        const reading = room.read(url).catch(() => null);
        await sent;
        await room.kill();
        await reading;
        await room.start(fix);
        return [(await room.read(url)).body, (await room.read(url)).body];
      }),
  })),
];

export const fixSituations: readonly FixSituation[] = situations;

async function inRoom(
  origin: FixOrigin,
  fix: boolean,
  extra: readonly string[],
  play: (room: Room) => Promise<string[]>,
): Promise<string[]> {
  const room = await Room.open(origin, fix, extra);
  try {
    return await play(room);
  } finally {
    await room.close();
  }
}

/** Stored size of a response in the closed cache of a room, bytes; null: unknown. */
export async function storedBytes(room: Room, url: string): Promise<number | null> {
  const entries = await cacheEntries(join(room.directory, 'cache'));
  return entries.get(room.origin.url + url)?.storedBytes ?? null;
}
