import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { account } from './account.ts';
import { parts } from './origin.ts';
import { moments } from './page-situations.ts';
import type { Room } from './room.ts';
import type { FixSituation } from './situation.ts';

/** Kills the browser when the origin has sent some parts of a body, and restarts it. */
async function killWhileStored(room: Room, url: string, sent: number, fix: boolean): Promise<void> {
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
}

const kills = moments.map((moment): FixSituation => ({
  name: `browser killed after ${moment + 1} of ${parts} parts`,
  isAlone: true,
  async play(room, urlOf, fix) {
    const url = urlOf(`slow&held=${moment + 1}`);
    await killWhileStored(room, url, moment + 1, fix);
    return account(room, url, await room.readEach(url, {}, {}));
  },
}));

/** The situations of one disk cache back end. */
function backEndSituations(backEnd: string): FixSituation[] {
  const flags = [`--enable-features=DiskCacheBackendExperiment:backend/${backEnd}`];
  const middle = parts / 2;
  return [
    {
      name: `back end ${backEnd}: range of a stored response`,
      flags,
      async play(room, urlOf) {
        const url = urlOf();
        const range = { init: { headers: { Range: 'bytes=1000-1999' } } };
        return account(room, url, await room.readEach(url, {}, range, {}));
      },
    },
    {
      name: `back end ${backEnd}: origin dies after ${middle} of ${parts} parts`,
      flags,
      async play(room, urlOf) {
        const url = urlOf(`slow&dies=${middle}`);
        return account(room, url, await room.readEach(url, {}, {}, {}));
      },
    },
    {
      name: `back end ${backEnd}: hit, and hit after a restart`,
      flags,
      async play(room, urlOf, fix) {
        const url = urlOf();
        const before = await room.readEach(url, {}, {});
        await room.restart(fix);
        return account(room, url, [...before, await room.read(url)]);
      },
    },
    {
      name: `back end ${backEnd}: browser killed after ${middle} of ${parts} parts`,
      flags,
      async play(room, urlOf, fix) {
        const url = urlOf(`slow&held=${middle}`);
        await killWhileStored(room, url, middle, fix);
        return account(room, url, await room.readEach(url, {}, {}));
      },
    },
  ];
}

/** Situations that need a browser of their own, or its restart. */
export const browserSituations: readonly FixSituation[] = [
  ...diskCacheBackEnds.flatMap(backEndSituations),
  {
    name: 'service worker that passes through',
    isAlone: true,
    async play(room, urlOf) {
      await room.page.evaluate(
        `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)`,
      );
      await room.page.reload();
      const url = urlOf();
      return account(room, url, await room.readEach(url, {}, {}));
    },
  },
  {
    name: 'cache of 1 MiB that is full while eight responses are stored at once',
    isAlone: true,
    flags: ['--disk-cache-size=1048576'],
    async play(room, urlOf) {
      const urls = moments.slice(0, 8).map((number) => urlOf(`slow&number=${number}`));
      const reads = await Promise.all(urls.map((url) => room.read(url)));
      for (const url of urls) reads.push(await room.read(url));
      if (urls.every((url) => room.askedFor(url).length === 1))
        throw new Error('the cache was not full');
      // How many of them are evicted depends on their size, which the features change: only the bytes are compared.
      return { page: reads.map(({ body }) => body), 'Resource Timing': [], origin: [] };
    },
  },
  {
    name: 'features switched at a restart, and back',
    isAlone: true,
    async play(room, urlOf, fix) {
      const url = urlOf();
      const reads = [await room.read(url)];
      for (const now of [!fix, fix]) {
        await room.restart(now);
        reads.push(...(await room.readEach(url, {}, {})));
      }
      return account(room, url, reads);
    },
  },
  ...kills,
];
