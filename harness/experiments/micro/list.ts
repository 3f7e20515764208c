import { totalmem } from 'node:os';
import { isOnDisk, type MicroCache, microCacheLabels } from '@cachescope/model/micro/cache.ts';
import { microEntryPath } from '@cachescope/origin/routes/micro.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { MicroCell, MicroState } from '@cachescope/model/micro/slice.ts';
import { type TimeTask, timedReads } from '@cachescope/model/micro/task.ts';
import { evict } from '../../browser/cold-read.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { freshKeys, makeProfile, type MicroProfile, type MicroLab } from './lab.ts';
import { setProvenDelay } from '../../lab/proven-delay.ts';
import { awaitAllIo } from './cache-io.ts';
import { inLaunch, type Job, type LaunchPages } from './launch-pages.ts';
import { shuffle } from '../../lab/schedule.ts';

/** One list in one cache: the planned number of resources, all of one size. */
interface List {
  cache: MicroCache;
  bytes: number;
  /** First key; a new one when the first load is repeated. */
  from: number;
  disk: SlowDisk;
}

function listsOf(lab: MicroLab, caches: readonly MicroCache[], disk: SlowDisk): List[] {
  const { sizesBytes, listLength } = lab.plan;
  return caches.flatMap((cache) =>
    sizesBytes.map((bytes) => ({ cache, bytes, from: freshKeys(lab, listLength), disk })),
  );
}

/** Number of slices of the lists. */
export function plannedListSlices({ plan }: Pick<MicroLab, 'plan'>): number {
  const perSize = plan.caches.reduce(
    (sum, cache) => sum + (cache === 'none' ? 1 : isOnDisk(cache) ? 4 : 2),
    0,
  );
  const slow = plan.caches.includes('disk') ? plan.delaysMs.length : 0;
  return (perSize + slow) * plan.sizesBytes.length * plan.launches;
}

/**
 * The list of resources with different keys. It is loaded once, all cache I/O is awaited, and it is loaded again; then
 * again after a relaunch, and after a relaunch with the page cache dropped. If delays are requested, it is also loaded
 * from the slow device at each of them.
 */
export async function takeLists(lab: MicroLab): Promise<void> {
  const { plan, session } = lab;
  for (let launch = 0; launch < plan.launches; launch++) {
    if (session.shouldStop()) return;
    session.progress.status(`Lists of ${plan.listLength}, pass ${launch + 1} of ${plan.launches}`);
    await onOrdinaryDisk(lab, launch);
    if (lab.slow && plan.caches.includes('disk')) await onSlowDisk(lab, lab.slow, launch);
  }
}

async function onOrdinaryDisk(lab: MicroLab, launch: number): Promise<void> {
  await using profile = await makeProfile(lab, `list-${launch}`, lab.ordinary);
  const lists = listsOf(lab, lab.plan.caches, lab.ordinary);
  const jobs = shuffle(lists, lab.random).map((list) => populateAndRead(lab, profile, list));
  await inLaunch(lab, profile, jobs);
  const kept = lists.filter(({ cache }) => isOnDisk(cache));
  if (kept.length === 0) return;
  await readAgain(lab, profile, kept, 'relaunched', 0);
  if (!lab.session.found.canDrop) return;
  await readAgain(lab, profile, kept, 'dropped', 0);
}

async function onSlowDisk(lab: MicroLab, disk: SlowDisk, launch: number): Promise<void> {
  await disk.setDelay(0);
  await using profile = await makeProfile(lab, `list-${launch}`, disk);
  try {
    const lists = listsOf(lab, ['disk'], disk);
    // The first load of a list is not measured: it warms up the page and stores the list.
    const populate = (list: List) => (pages: LaunchPages) => pages.prepare(taskOf(lab, list));
    await inLaunch(lab, profile, lists.map(populate));
    for (const delayMs of shuffle(lab.plan.delaysMs, lab.random)) {
      if (lab.session.shouldStop()) break;
      await setProvenDelay(lab.session, disk, delayMs);
      await readAgain(lab, profile, lists, 'dropped', delayMs);
    }
  } finally {
    await disk.setDelay(0);
  }
}

/** Limit of Chromium's memory cache, bytes (net/disk_cache/memory: 2 % of the memory, at most 50 MiB). */
const memoryCacheBytes = Math.min(50 * 1024 ** 2, 0.02 * totalmem());
/** Size of a response in a cache beyond its body, bytes: its headers and the entry itself. */
const entryOverheadBytes = 1024;

/** Whether the cache keeps the whole list. If not, a second load would have only misses and is not taken. */
function isKept(lab: MicroLab, { cache, bytes }: List): boolean {
  const neededBytes = lab.plan.listLength * (bytes + entryOverheadBytes);
  if (cache !== 'memory' || neededBytes <= memoryCacheBytes) return true;
  const limit = byteSize(memoryCacheBytes);
  lab.session.warn(
    `The memory cache is limited to ${limit}, too small for ${lab.plan.listLength} resources of ${byteSize(bytes)}: that list has no hits.`,
  );
  return false;
}

/** Reads each key of a list once. */
function taskOf(lab: MicroLab, { cache, bytes, from }: List): TimeTask {
  const count = lab.plan.listLength;
  const url = microEntryPath(cache, bytes, cache !== 'none');
  const keys = { from, count, stride: 1 };
  return timedReads({ cache, url, keys, timeMs: 600_000, mostRuns: count });
}

/** The warm-up of the page uses separate keys. */
async function warmUp(lab: MicroLab, pages: LaunchPages, list: List): Promise<void> {
  const task = taskOf(lab, { ...list, from: freshKeys(lab, 3) });
  await pages.prepare({ ...task, mostRuns: 3 });
}

async function takeLoad(
  lab: MicroLab,
  pages: LaunchPages,
  list: List,
  factors: Pick<MicroCell, 'row' | 'state' | 'delayMs'>,
  what: string,
): Promise<void> {
  const { cache, bytes, disk } = list;
  const cell = { part: 'list', cache, bytes, storage: disk.kind, ...factors } as const;
  await pages.take(cell, taskOf(lab, list));
  lab.session.progress.advance(`${microCacheLabels[cache]}, list of ${bytes} B, ${what}`);
}

/** Both loads of a list in one browser: misses, and hits after all cache I/O has finished. */
function populateAndRead(lab: MicroLab, profile: MicroProfile, list: List): Job {
  return async (pages) => {
    const { cache, bytes } = list;
    const place = { state: 'running', delayMs: 0 } as const;
    // New keys in each attempt: resources stored by an earlier attempt would not be misses.
    list.from = freshKeys(lab, lab.plan.listLength);
    await warmUp(lab, pages, list);
    const row = cache === 'none' ? 'miss-uncacheable' : 'miss-query';
    await takeLoad(lab, pages, list, { ...place, row }, 'first load');
    if (cache === 'none' || !isKept(lab, list)) return;
    if (isOnDisk(cache)) await awaitAllIo(lab, profile, `${cache}, ${bytes} bytes`);
    await takeLoad(lab, pages, list, { ...place, row: 'hit' }, 'second load');
  };
}

/** Hits in a later launch. For `dropped`, the page cache is dropped before the launch and before each new attempt. */
async function readAgain(
  lab: MicroLab,
  profile: MicroProfile,
  lists: readonly List[],
  state: MicroState,
  delayMs: number,
): Promise<void> {
  const when = delayMs === 0 ? state : `${state}, ${delayMs} ms`;
  const jobs = shuffle(lists, lab.random).map((list): Job => async (pages) => {
    await warmUp(lab, pages, list);
    await takeLoad(lab, pages, list, { row: 'hit', state, delayMs }, when);
  });
  const before = async () => {
    if (state === 'dropped') await evict(profile.disk, lab.session.privilege);
  };
  await inLaunch(lab, profile, jobs, { before });
}
