import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import { isIndexLoaded } from '@cachescope/model/micro/label.ts';
import type { MicroPlan } from '@cachescope/model/micro/run.ts';
import type { MicroState } from '@cachescope/model/micro/slice.ts';
import { type TimeTask, timedReads } from '@cachescope/model/micro/task.ts';
import type { DiskCacheBackEnd } from '@cachescope/model/run/variant.ts';
import { microEntryPath } from '@cachescope/origin/routes/micro.ts';
import { evict } from '../../browser/cold-read.ts';
import { requireBackEnd, diskCacheFlags } from '../../browser/disk-cache-back-end.ts';
import { cacheDataDirectory } from '../../browser/disk-cache.ts';
import { freshKeys, makeProfile, type MicroLab } from './lab.ts';
import { awaitAllIo } from './cache-io.ts';
import { inLaunch, type Job, type LaunchPages } from './launch-pages.ts';
import { isReversed, shuffle } from '../../lab/schedule.ts';

/** Body size of an entry, bytes; only its key matters for the search. */
const entryBytes = 50;
/** Reads in flight while a cache is populated: Chromium opens six connections, and a larger number keeps them busy. */
const parallelReads = 24;
/** Time limit for populating a cache, ms per entry. */
const populateLimitMs = 20;
/** Share of a row's set time in one launch that one search loop takes. */
const loopShare = 1 / 4;

/** A cache with a number of entries. */
interface SearchedCache {
  cache: MicroCache;
  backEnd?: DiskCacheBackEnd;
  entries: number;
  /** Key of the first entry. */
  from: number;
}

/** Time of one search loop, ms: a shard, which has a part of the launches, takes the same. */
export function searchLoopMs({ timeMs, launches }: Pick<MicroPlan, 'timeMs' | 'launches'>): number {
  return (timeMs / launches) * loopShare;
}

/** Number of slices of the searches. */
export function plannedSearchSlices({ plan }: Pick<MicroLab, 'plan'>): number {
  const kinds = plan.entries.reduce((sum, entries) => sum + (entries === 0 ? 1 : 2), 0);
  const disks = plan.caches.includes('disk') ? plan.backEnds.length : 0;
  const memory = plan.caches.includes('memory') ? kinds : 0;
  const both = disks > 0 && plan.caches.includes('blink') ? kinds : 0;
  const lost = disks > 0 && plan.backEnds.includes('simple') ? plan.entries.length : 0;
  return plan.launches * (memory + both + lost + disks * (kinds + plan.entries.length));
}

/**
 * Searches caches with increasing numbers of entries for present and for absent keys. The memory cache, which does not
 * survive a launch, is searched in one launch. Each disk back end is searched in several launches, and the first search
 * of a launch may come before the index is loaded. With the first back end, Blink's memory cache followed by the disk
 * is searched too.
 */
export async function takeSearches(lab: MicroLab): Promise<void> {
  const { caches, backEnds } = lab.plan;
  if (caches.includes('memory')) await searchMemory(lab);
  if (!caches.includes('disk')) return;
  for (const backEnd of backEnds) await searchDisk(lab, backEnd);
}

async function searchMemory(lab: MicroLab): Promise<void> {
  await using profile = await makeProfile(lab, 'search-memory', lab.ordinary);
  const from = freshKeys(lab, Math.max(...lab.plan.entries));
  const work: Job = async (pages) => {
    let stored = 0;
    for (const entries of lab.plan.entries) {
      const searched: SearchedCache = { cache: 'memory', entries, from };
      await populate(lab, pages, searched, stored);
      stored = entries;
      for (let pass = 0; pass < lab.plan.launches; pass++)
        await searchLoaded(lab, pages, searched, 'running');
      if (lab.session.shouldStop()) return;
    }
  };
  await inLaunch(lab, profile, [work]);
}

async function searchDisk(lab: MicroLab, backEnd: DiskCacheBackEnd): Promise<void> {
  const { plan, session } = lab;
  await using profile = await makeProfile(lab, `search-${backEnd}`, lab.ordinary);
  const parameters = backEnd === 'sql' ? plan.settings?.diskCacheParameters : undefined;
  const extra = diskCacheFlags(backEnd, parameters);
  const from = freshKeys(lab, Math.max(...plan.entries));
  const withBlink = plan.caches.includes('blink') && backEnd === plan.backEnds[0];
  const index = join(cacheDataDirectory(profile.cacheDirectory), 'index-dir', 'the-real-index');
  const { canDrop } = session.found;
  const dropPages = async () => {
    if (canDrop) await evict(lab.ordinary, session.privilege);
  };
  // A browser that ended in an earlier attempt may have written the index again.
  const loseIndex = async () => {
    await rm(index, { force: true });
    await dropPages();
  };
  let stored = 0;
  for (const entries of plan.entries) {
    if (session.shouldStop()) return;
    const searched: SearchedCache = { cache: 'disk', backEnd, entries, from };
    const storedBefore = stored;
    const storing: Job = (pages) => populate(lab, pages, searched, storedBefore);
    await inLaunch(lab, profile, [storing], { extra });
    // An interrupt while the browser starts: nothing was stored.
    if (session.shouldStop()) return;
    stored = entries;
    await awaitAllIo(lab, profile, `populate with ${entries} entries, ${backEnd}`);
    await requireBackEnd(profile.cacheDirectory, backEnd);
    for (let launch = 0; launch < plan.launches; launch++) {
      if (session.shouldStop()) return;
      const isPresent = entries > 0 && !isReversed(plan, launch);
      const first =
        (state: 'first' | 'lost'): Job =>
        (pages) =>
          takeSearch(lab, pages, searched, isPresent, state);
      const caches = withBlink ? (['disk', 'blink'] as const) : (['disk'] as const);
      const later = caches.map((cache): Job => {
        return (pages) => searchLoaded(lab, pages, { ...searched, cache }, 'relaunched');
      });
      // Both states are with the page cache dropped.
      const cold = canDrop ? [first('first')] : [];
      await inLaunch(lab, profile, [...cold, ...later], { extra, before: dropPages });
      // The simple back end rebuilds a lost index from all files, and searches the disk until then.
      if (backEnd === 'simple' && canDrop)
        await inLaunch(lab, profile, [first('lost')], { extra, before: loseIndex });
    }
  }
}

async function populate(
  lab: MicroLab,
  pages: LaunchPages,
  searched: SearchedCache,
  stored: number,
): Promise<void> {
  const { cache, backEnd, entries, from } = searched;
  const count = entries - stored;
  // The cache is created at its first use.
  await pages.page(cache);
  if (count === 0) return;
  const name = backEnd ?? cache;
  lab.session.progress.status(
    `Search in ${name}: populating up to ${entries.toLocaleString('en-US')} entries`,
  );
  const startedAt = performance.now();
  const keys = { from: from + stored, count, stride: 1 };
  await pages.prepare(
    { kind: 'populate', cache, url: keyUrl(), keys, parallel: parallelReads },
    count * populateLimitMs,
  );
  const tookMs = performance.now() - startedAt;
  lab.session.run.fills.push({ cache, ...(backEnd && { backEnd }), entries: count, tookMs });
}

/** Entries are scripts, so that script elements find them too. */
function keyUrl(mayStore = true): string {
  return microEntryPath('blink', entryBytes, mayStore);
}

/** A stride without a common factor with the number of entries, so that a search covers the whole cache. */
function strideFor(entries: number): number {
  const [stride, other] = [7919, 7907];
  return entries % stride === 0 ? other : stride;
}

function taskOf(
  lab: MicroLab,
  { cache, entries, from }: SearchedCache,
  isPresent: boolean,
): TimeTask {
  const present = { from, count: entries, stride: strideFor(entries) };
  const absent = 1_000_000;
  return timedReads({
    cache,
    // A script element cannot be told to read from the cache only.
    action: cache === 'blink' ? 'read' : 'search',
    url: keyUrl(isPresent || cache !== 'blink'),
    keys: isPresent ? present : { from: freshKeys(lab, absent), count: absent, stride: 1 },
    timeMs: searchLoopMs(lab.plan),
    // A script that was read once is in Blink's memory cache, and its next read would not search the disk.
    mostRuns: cache === 'blink' && isPresent ? entries : null,
  });
}

/** Takes one slice: before the index is certainly loaded, a single search. */
async function takeSearch(
  lab: MicroLab,
  pages: LaunchPages,
  searched: SearchedCache,
  isPresent: boolean,
  state: MicroState,
): Promise<void> {
  const { from: _, ...where } = searched;
  const { cache, backEnd, entries } = where;
  const isLoaded = isIndexLoaded({ state });
  const row = isPresent ? 'present' : 'absent';
  const task = taskOf(lab, searched, isPresent);
  const place = { part: 'search', bytes: entryBytes, storage: 'none', delayMs: 0 } as const;
  await pages.take({ ...place, ...where, row, state }, isLoaded ? task : { ...task, mostRuns: 1 });
  const what = isLoaded ? row : 'first search';
  lab.session.progress.advance(`${backEnd ?? cache}, ${entries} entries, ${what}`);
}

/** Searches for absent and for present keys, in random order, after the index is loaded. */
async function searchLoaded(
  lab: MicroLab,
  pages: LaunchPages,
  searched: SearchedCache,
  state: MicroState,
): Promise<void> {
  const kinds = searched.entries === 0 ? [false] : [false, true];
  for (const isPresent of shuffle(kinds, lab.random)) {
    // The warm-up with absent keys does not change the state of present ones.
    await pages.prepare({ ...taskOf(lab, searched, false), mostRuns: 20 });
    await takeSearch(lab, pages, searched, isPresent, state);
  }
}
