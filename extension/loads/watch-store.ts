import { greatest } from '@cachescope/model/extremes.ts';
import type { Watch } from '@cachescope/model/load/observation.ts';
import { database } from './load-database.ts';

export async function putWatch(watch: Watch): Promise<void> {
  await (await database()).put('watches', watch);
}

/** Watches of a tab, or of all tabs, that have not ended. */
export async function openWatches(tabId?: number): Promise<Watch[]> {
  const db = await database();
  const watches =
    tabId === undefined
      ? await db.getAll('watches')
      : await db.getAllFromIndex('watches', 'tab', tabId);
  return watches.filter(({ toMs }) => toMs === null);
}

/** Until when a tab was recorded, wall clock, ms: Infinity while it is, -Infinity when it never was. */
export async function recordedUntilMs(tabId: number): Promise<number> {
  const watches = await (await database()).getAllFromIndex('watches', 'tab', tabId);
  // DevTools stays open when recording is stopped; a tab that is recorded is always watched at page depth.
  const recorded = watches.filter(({ depth }) => depth === 'page');
  return greatest(recorded.map(({ toMs }) => toMs ?? Infinity));
}
