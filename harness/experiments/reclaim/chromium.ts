import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import { itemPath, trafficOf } from '@cachescope/model/reclaim/traffic.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { diskCacheBackEndOf } from '../../browser/disk-cache-back-end.ts';
import { browserChoice } from '../../browser/settings.ts';
import { cacheDataDirectory } from '../../browser/disk-cache.ts';
import { CachescopeError } from '../../error.ts';
import type { Privilege } from '../../privilege.ts';
import { chromiumProcesses } from '../../sampling/process-tree.ts';
import { openSampler } from '../../sampling/sampler.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { attachStorage } from '../../storage/storage.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { withTimeLimit } from '../../time-limit.ts';
import { launchReclaimBrowser, type ReclaimBrowser } from './browser.ts';
import { type CacheObserver, observeCache } from './cache-observer.ts';
import { PageServer } from '../../lab/page-server.ts';
import type { PageMessage } from './page-task.ts';
import { reclaimPage } from './page.ts';
import { type ReclaimOrigin, startReclaimOrigin } from './origin.ts';
import { PageLoad } from './page-load.ts';
import type { Attack, ReclaimSystem } from './system.ts';

/** Time limit for the first message of the page, ms. */
const readyLimitMs = 60_000;
/** A disk with less free space than this counts as full, bytes. */
const fullBytes = 256 * 1024;
/** Site of the pages that the server serves: it separates their cache entries from those of other sites. */
const pageSite = 'http://127.0.0.1';

/** The requirements of a browser under load. */
export interface ChromiumNeeds {
  chromiumPath: string;
  privilege: Privilege;
}

/** A browser under load and its environment. */
interface Lab {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
  origin: ReclaimOrigin;
  disk: SlowDisk;
  browser: ReclaimBrowser;
  cache: CacheObserver;
  warnings: Set<string>;
}

/**
 * Opens Chromium with its cache on the plan's storage, an origin for it, and a page that sends requests. `resources`
 * closes all of them.
 */
export async function openChromiumSystem(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  needs: ChromiumNeeds,
  resources: AsyncDisposableStack,
): Promise<ReclaimSystem> {
  const work = await makeWorkDirectory('run', needs.privilege);
  resources.defer(work.remove);
  const disk = await attachDisk(plan, needs.privilege, resources);
  // The cache under load is the browser's: the origin stores nothing and generates every response again.
  const limit = { entries: null, bytes: 1, reclaimRatio: 0 };
  const origin = await startReclaimOrigin({ limit, policy: 'lrw' }, resources);
  const cacheDirectory = join(disk.directory, 'cache');
  const wanted = plan.browser?.backEnd ?? undefined;
  const settings = { ...plan.settings, ...(wanted && { diskCache: wanted }) };
  const backEnd = settings.diskCache ?? null;
  const browser = await launchReclaimBrowser({
    executablePath: needs.chromiumPath,
    profileDirectory: join(work.path, 'profile'),
    cacheDirectory,
    cacheBytes: plan.limitBytes,
    publicKeySha256: origin.publicKeySha256,
    extra: browserChoice(settings).extra,
  });
  resources.defer(() => browser.close());
  // The default back end on Linux is `simple`.
  const seen = plan.system === 'chromium-memory' ? null : (backEnd ?? 'simple');
  const cache = observeCache(seen, cacheDataDirectory(cacheDirectory), pageSite);
  const lab: Lab = { plan, replay, origin, disk, browser, cache, warnings: new Set() };
  const { version, flags } = browser;
  return {
    attack: (attack) => sendFromPage(lab, cacheDirectory, attack),
    sample: samplerOf(lab),
    profile: { start: () => origin.startProfile(), stop: () => origin.stopProfile() },
    warnings: () => [...lab.warnings, ...cache.warnings()],
    chromium: { version, path: needs.chromiumPath, flags },
    storage: plan.system === 'chromium-memory' ? 'memory of the browser' : disk.describe,
  };
}

async function attachDisk(
  { browser }: ReclaimPlan,
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<SlowDisk> {
  const kind = browser?.storage ?? 'none';
  const disk = await attachStorage({ kind, delayWrites: false, privilege });
  resources.defer(() => disk.detach());
  // Set before the browser opens files there: not every storage can change its delay while in use.
  if (kind !== 'none') await disk.setDelay(browser?.delayMs ?? 0);
  return disk;
}

async function sendFromPage(lab: Lab, cacheDirectory: string, attack: Attack): Promise<void> {
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
  const ended = <Value>(work: Promise<Value>): Promise<Value> =>
    Promise.race([work, browser.crashed, origin.failed]);
  try {
    const url = await server.open();
    await browser.open(url, plan.system === 'chromium-memory');
    await withTimeLimit('The page that sends requests', readyLimitMs, ended(load.ready));
    await ended(load.done);
    await noteBackEnd(lab, cacheDirectory);
  } finally {
    load.stop();
    await server.close();
  }
}

/** Warns when Chromium does not use the requested back end: the results are then those of another one. */
async function noteBackEnd({ plan, warnings }: Lab, cacheDirectory: string): Promise<void> {
  if (plan.system === 'chromium-memory') return;
  const wanted = plan.browser?.backEnd ?? plan.settings?.diskCache ?? 'simple';
  const found = await diskCacheBackEndOf(cacheDirectory);
  if (found === wanted) return;
  warnings.add(
    `The back end ${wanted} was expected, but the cache on the disk is ${found ?? 'of an unknown kind'}.`,
  );
}

function samplerOf({ origin, disk, browser, cache }: Lab): ReclaimSystem['sample'] {
  const targets = () => [
    ...chromiumProcesses(browser.pid),
    { type: 'origin', pid: origin.pid },
    { type: 'harness', pid: process.pid },
  ];
  // The counters of ordinary storage include all programs, so they are not used.
  const sampler = openSampler(targets, disk.kind === 'none' ? null : () => disk.counters());
  // The sample in which the disk became full is kept: the next one ends the run.
  let isFull = false;
  return async (epochMs) => {
    const [machine, { eventLoop }] = await Promise.all([sampler.take(), origin.sample()]);
    const { occupancy, reclaim } = cache.sample();
    if (isFull) throw fullDisk(disk);
    isFull = await hasNoRoom(disk.directory);
    const system = { ...machine, ...occupancy, eventLoop };
    const untold = { mostEntries: null, mostBytes: null, overLimitMs: null };
    const passes = reclaim ? [{ ...reclaim, atMs: reclaim.atMs - (epochMs ?? reclaim.atMs) }] : [];
    return { system: { ...system, ...untold }, passes };
  };
}

async function hasNoRoom(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < fullBytes;
}

function fullDisk({ directory }: SlowDisk): CachescopeError {
  return new CachescopeError(
    'CS_RECLAIM_DISK_FULL',
    `the disk of the cache is full (${directory}): Chromium cannot store responses`,
    { hint: 'Use a lower --limit-bytes, or set TMPDIR to a directory with more room.' },
  );
}
