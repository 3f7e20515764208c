import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { itemPath, trafficOf } from '@cachescope/model/reclaim/traffic.ts';
import { browserGone, closeBrowser } from '../../browser/browser-exit.ts';
import { diskCacheBackEndOf } from '../../browser/disk-cache-back-end.ts';
import { cacheDataDirectory } from '../../browser/disk-cache.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { browserChoice } from '../../browser/settings.ts';
import { startChromium } from '../../browser/start.ts';
import { browserSession } from '../../browser/targets.ts';
import { CachescopeError } from '../../error.ts';
import { provenDelay } from '../../lab/proven-delay.ts';
import { PageServer } from '../../lab/page-server.ts';
import type { Privilege } from '../../privilege.ts';
import { chromiumProcesses } from '../../sampling/process-tree.ts';
import { openSampler } from '../../sampling/sampler.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { attachStorage } from '../../storage/storage.ts';
import { type CacheObserver, observeCache } from './cache-observer.ts';
import { type ReclaimOrigin, startReclaimOrigin } from './origin.ts';
import { PageLoad } from './page-load.ts';
import type { PageMessage } from './page-task.ts';
import { reclaimPage } from './page.ts';
import type { Attack, ReclaimSystem } from './system.ts';

/** A disk with less free space than this counts as full, bytes. */
const fullBytes = 256 * 1024;

/** A browser under load and its environment. */
interface Lab {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
  origin: ReclaimOrigin;
  disk: SlowDisk;
  browser: Awaited<ReturnType<typeof opened>>;
  cache: CacheObserver;
}

/**
 * Opens Chromium with its cache on the plan's storage, an origin for it, and a page that sends requests. `resources`
 * closes all of them.
 */
export async function openChromiumSystem(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  { chromiumPath, privilege }: { chromiumPath: string; privilege: Privilege },
  resources: AsyncDisposableStack,
): Promise<ReclaimSystem> {
  const work = await makeWorkDirectory('run', privilege);
  resources.defer(work.remove);
  const { backEnd: wanted = null, storage: kind = 'none', delayMs = 0 } = plan.browser ?? {};
  const disk = await attachStorage({ kind, delayWrites: false, privilege });
  resources.defer(() => disk.detach());
  // Set before the browser opens files there: not every storage can change its delay while in use.
  const proof = kind === 'none' ? null : await provenDelay(disk, delayMs);
  // The cache under load is the browser's: the origin stores nothing and generates every response again.
  const nothing = { limitEntries: null, limitBytes: 1, reclaimRatio: 0, policy: null };
  const origin = await startReclaimOrigin(nothing, resources);
  const cacheDirectory = join(disk.directory, 'cache');
  const settings = { ...plan.settings, ...(wanted && { diskCache: wanted }) };
  // The default back end on Linux is `simple`.
  const backEnd = plan.system === 'chromium-memory' ? null : (settings.diskCache ?? 'simple');
  const options = {
    executablePath: chromiumPath,
    profileDirectory: join(work.path, 'profile'),
    cacheDirectory,
    headful: false,
    extra: [
      `--disk-cache-size=${plan.limitBytes}`,
      // Besides the usual certificates, only that of the origin is trusted.
      `--ignore-certificate-errors-spki-list=${origin.publicKeySha256}`,
      ...browserChoice(settings).extra,
    ],
    // Temporary files that a killed browser leaves behind are removed with its profile.
    temporaryDirectory: join(work.path, 't'),
  };
  const browser = await startChromium(options, opened);
  resources.defer(() => browser.close());
  const cache = observeCache(backEnd, cacheDataDirectory(cacheDirectory));
  const lab: Lab = { plan, replay, origin, disk, browser, cache };
  // When Chromium does not use the requested back end, the results are those of another one.
  const warnings: string[] = [];
  return {
    async attack(attack) {
      await sendFromPage(lab, attack);
      const found = backEnd && (await diskCacheBackEndOf(cacheDirectory));
      if (found !== backEnd)
        warnings.push(
          `The back end ${backEnd} was expected, but the cache on the disk is ${found ?? 'of an unknown kind'}.`,
        );
    },
    sample: samplerOf(lab),
    profile: origin.profile,
    warnings: () => [...warnings, ...cache.warnings()],
    chromium: { version: browser.version, path: chromiumPath, flags: browser.flags },
    storage: plan.system === 'chromium-memory' ? 'memory of the browser' : disk.describe,
    proof,
  };
}

/** A running Chromium without extensions. No debugger is attached to its pages. */
async function opened(browser: Browser) {
  const root = await browserSession(browser);
  const crashed = Promise.race([(await pageCrash(browser)).crashed, browserGone(browser)]);
  // Callers that await it get the rejection; a rejection that nobody awaits yet is not an error.
  crashed.catch(() => undefined);
  return {
    version: await browser.version(),
    flags: browser.process()?.spawnargs.slice(1) ?? [],
    pid: browser.process()?.pid ?? 0,
    /** Rejects when a page's renderer or the browser ends on its own, and otherwise never settles. */
    crashed,
    /** Opens a page. Off the record, the page has its own browser context, whose cache is only in memory. */
    async open(url: string, isOffTheRecord: boolean) {
      const context = isOffTheRecord ? await root.send('Target.createBrowserContext') : {};
      const { targetId } = await root.send('Target.createTarget', { url, ...context });
      await root.send('Target.activateTarget', { targetId });
    },
    /** Closes gracefully; ends the process after 20 s. */
    close: () => closeBrowser(browser),
  };
}

async function sendFromPage(lab: Lab, attack: Attack): Promise<void> {
  const { plan, replay, origin, browser, cache } = lab;
  const load = new PageLoad(
    {
      baseUrl: origin.secureUrl,
      windowMs: plan.windowMs,
      requests: trafficOf(plan, replay),
      pathOf: (request) => itemPath(plan, request),
      answered: (path, { fromCache }, at) =>
        cache.used(origin.secureUrl + path, fromCache === true, at),
    },
    attack,
  );
  const server = new PageServer(reclaimPage, (message: PageMessage) => load.answer(message));
  try {
    const url = await server.open();
    await browser.open(url, plan.system === 'chromium-memory');
    await Promise.race([load.done, browser.crashed, origin.failed]);
  } finally {
    load.stop();
    await server.close();
  }
}

function samplerOf({ origin, disk, browser, cache }: Lab): ReclaimSystem['sample'] {
  const targets = () => [
    ...chromiumProcesses(browser.pid),
    { type: 'origin', pid: origin.pid },
    { type: 'harness', pid: process.pid },
  ];
  // The counters of ordinary storage include all programs, so they are not used.
  const sampler = openSampler(targets, disk.kind === 'none' ? null : () => disk.counters());
  const unknown = { mostEntries: null, mostBytes: null, overLimitMs: null };
  // The sample in which the disk became full is kept: the next one ends the run.
  let isFull = false;
  return async (beganAt) => {
    const [machine, { eventLoop }] = await Promise.all([sampler.take(), origin.sample()]);
    const { occupancy, reclaim } = cache.sample();
    if (isFull) throw fullDisk(disk);
    const { bavail, bsize } = await statfs(disk.directory);
    isFull = bavail * bsize < fullBytes;
    const passes = reclaim ? [{ ...reclaim, atMs: reclaim.atMs - (beganAt ?? reclaim.atMs) }] : [];
    return { system: { ...machine, ...occupancy, eventLoop, ...unknown }, passes };
  };
}

function fullDisk({ directory }: SlowDisk): CachescopeError {
  return new CachescopeError(
    'CS_RECLAIM_DISK_FULL',
    `the disk of the cache is full (${directory}): Chromium cannot store responses`,
    { hint: 'Use a lower --limit-bytes, or set TMPDIR to a directory with more room.' },
  );
}
