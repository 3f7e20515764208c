import { pageloadFlags } from '@cachescope/model/pageload/flags.ts';
import type { PageArm, PageCell, PageLoad, PageState } from '@cachescope/model/pageload/load.ts';
import { evict } from '../../browser/cold-read.ts';
import { cacheDataDirectory, cacheEntries } from '../../browser/disk-cache.ts';
import { setProvenDelay } from '../../lab/proven-delay.ts';
import { difference } from '../../storage/device-counters.ts';
import { pageCacheDrops } from '../../storage/page-cache-drops.ts';
import { awaitCacheIo } from '../micro/cache-io.ts';
import type { PageLab } from './lab.ts';
import { finishOf, resourceRows, rounded } from './rows.ts';
import { PageVisit } from './visit.ts';

/** A load as measured; the run numbers it. */
export type TakenLoad = Omit<PageLoad, 'sequence'>;

/**
 * Takes the loads of one fresh profile: the first, the second, one after a relaunch, and one after a relaunch with the
 * page cache dropped.
 */
export async function takeStates(
  lab: PageLab,
  pass: number,
  delayMs: number,
  arm: PageArm,
): Promise<TakenLoad[]> {
  const { plan, place, session } = lab;
  const { storage } = plan;
  if (storage !== 'none') await place.disk.setDelay(0);
  await place.empty();
  if (storage !== 'none') await setProvenDelay(session, place.disk, delayMs);
  const dropsBefore = await pageCacheDrops();
  const taken: TakenLoad[] = [];
  const take = async (visit: PageVisit, state: PageState) => {
    if (!plan.states.includes(state)) return;
    const cell: PageCell = { state, arm, storage, delayMs };
    taken.push(await takeLoad(lab, visit, { cell, pass, dropsBefore }));
    session.progress.advance(`${arm}, ${state}${delayMs > 0 ? `, ${delayMs} ms` : ''}`);
  };
  await inVisit(lab, delayMs, async (visit) => {
    if (arm === 'dictionary') await visit.loadDictionaries();
    if (plan.states.includes('empty')) await take(visit, 'empty');
    else await visit.load();
    const directories = [cacheDataDirectory(place.launch.cacheDirectory)];
    const counters = () => (storage === 'none' ? Promise.resolve(null) : place.disk.counters());
    await awaitCacheIo({ directories, counters });
    await take(visit, 'warm');
  });
  if (session.shouldStop()) return taken;
  if (plan.states.includes('relaunched'))
    await inVisit(lab, delayMs, (visit) => take(visit, 'relaunched'));
  if (session.shouldStop()) return taken;
  if (plan.states.includes('cold'))
    await inVisit(lab, delayMs, async (visit) => {
      await evict(place.disk, session.privilege);
      await take(visit, 'cold');
    });
  await noteStored(lab, arm);
  return taken;
}

/** Records the stored sizes once per arm, after its last load: reading the entries brings them into the page cache. */
async function noteStored({ session, place, origin, site }: PageLab, arm: PageArm): Promise<void> {
  if (session.run.stored.some((known) => known.arm === arm)) return;
  const entries = await cacheEntries(place.launch.cacheDirectory);
  const sizes = site.paths.flatMap((path) => entries.get(origin.url + path)?.storedBytes ?? []);
  const storedBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  session.run.stored.push({ arm, entries: sizes.length, storedBytes });
}

async function inVisit(
  lab: PageLab,
  delayMs: number,
  work: (visit: PageVisit) => Promise<void>,
): Promise<void> {
  const visit = await PageVisit.begin(lab, lab.place.launch, delayMs);
  lab.launches++;
  try {
    await work(visit);
  } finally {
    await visit.end();
  }
}

async function takeLoad(
  lab: PageLab,
  visit: PageVisit,
  { cell, pass, dropsBefore }: { cell: PageCell; pass: number; dropsBefore: number | null },
): Promise<TakenLoad> {
  const { origin, site, place, session } = lab;
  const takenAt = new Date().toISOString();
  const mark = origin.log.mark();
  const before = await place.disk.counters();
  const { result: load, flags } = await session.watched(() => visit.load());
  const after = await place.disk.counters();
  const drops = await pageCacheDrops();
  const requests = origin.log.since(mark);
  const rows = resourceRows(site.paths, origin.url, load, requests);
  const device = before && after ? difference(after, before) : null;
  const since = drops === null || dropsBefore === null ? null : drops - dropsBefore;
  const isAsDictionary = (at: number) => site.resources[at]?.asDictionary === true;
  const seen = { cell, rows, device, pageCacheDrops: since };
  return {
    cell,
    launch: lab.launches - 1,
    pass,
    takenAt,
    loadMs: rounded(load?.loadMs ?? null),
    domContentLoadedMs: rounded(load?.domContentLoadedMs ?? null),
    finishMs: finishOf(rows),
    rows,
    originRequests: requests.length,
    device,
    flags: [...pageloadFlags(site.page, seen, isAsDictionary), ...flags],
  };
}
