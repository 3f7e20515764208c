import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import type { FixSituation } from './account.ts';
import { parts } from './origin.ts';
import { moments } from './page-situations.ts';

/** Kills the browser when the origin has sent some parts of a body, restarts it, and reads twice. */
function killedAfter(sent: number): Pick<FixSituation, 'query' | 'play'> {
  return {
    query: `slow&held=${sent}`,
    async play(room, url, fix) {
      const reached = new Promise<void>((resolve) => {
        room.origin.onPart = (each, part) => {
          if (each === url && part === sent) resolve();
        };
      });
      const reading = room.read(url).catch(() => null);
      await reached;
      await room.kill();
      await reading;
      await room.start(fix);
      await room.holdDictionary();
      return room.readEach(url, {}, {});
    },
  };
}

/** The situations of one disk cache back end. */
function backEndSituations(backEnd: string): FixSituation[] {
  const middle = parts / 2;
  const range = { init: { headers: { Range: 'bytes=1000-1999' } } };
  const situations: FixSituation[] = [
    {
      name: 'range of a stored response',
      play: (room, url) => room.readEach(url, {}, range, {}),
    },
    {
      name: `origin dies after ${middle} of ${parts} parts`,
      query: `slow&dies=${middle}`,
      play: (room, url) => room.readEach(url, {}, {}, {}),
    },
    {
      name: 'hit, and hit after a restart',
      async play(room, url, fix) {
        const before = await room.readEach(url, {}, {});
        await room.restart(fix);
        return [...before, await room.read(url)];
      },
    },
    { name: `browser killed after ${middle} of ${parts} parts`, ...killedAfter(middle) },
  ];
  const flags = [`--enable-features=DiskCacheBackendExperiment:backend/${backEnd}`];
  return situations.map((each) => ({ ...each, name: `back end ${backEnd}: ${each.name}`, flags }));
}

/** Situations that need a browser of their own, or its restart. */
export const browserSituations: readonly FixSituation[] = [
  ...diskCacheBackEnds.flatMap(backEndSituations),
  {
    name: 'service worker that passes through',
    isAlone: true,
    async play(room, url) {
      await room.page.evaluate(
        `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`,
      );
      await room.page.reload();
      return room.readEach(url, {}, {});
    },
  },
  {
    name: 'cache of 1 MiB that is full while eight responses are stored at once',
    isAlone: true,
    flags: ['--disk-cache-size=1048576'],
    query: 'slow',
    async play(room, url) {
      const urls = moments.slice(0, 8).map((number) => `${url}&number=${number}`);
      const reads = await Promise.all(urls.map((each) => room.read(each)));
      for (const each of urls) reads.push(await room.read(each));
      if (urls.every((each) => room.askedFor(each).length === 1))
        throw new Error('the cache was not full');
      // How many of them are evicted depends on their size, which the features change: only the bytes are compared.
      return { page: reads.map(({ body }) => body), 'Resource Timing': [], origin: [] };
    },
  },
  {
    name: 'features switched at a restart, and back',
    isAlone: true,
    async play(room, url, fix) {
      const reads = [await room.read(url)];
      for (const now of [!fix, fix]) {
        await room.restart(now);
        reads.push(...(await room.readEach(url, {}, {})));
      }
      return reads;
    },
  },
  ...moments.map((moment): FixSituation => ({
    name: `browser killed after ${moment + 1} of ${parts} parts`,
    isAlone: true,
    ...killedAfter(moment + 1),
  })),
];
