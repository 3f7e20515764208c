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

/** Whether the tab was watched at any moment since a wall-clock time, ms. */
export async function wasWatchedSince(tabId: number, timeMs: number): Promise<boolean> {
  const watches = await (await database()).getAllFromIndex('watches', 'tab', tabId);
  return watches.some(({ toMs }) => toMs === null || toMs >= timeMs);
}
