import { least } from '@cachescope/model/extremes.ts';
import type { LoadParts } from '@cachescope/model/load/join.ts';
import type { ObservedDocument, Watch } from '@cachescope/model/load/observation.ts';
import { database, noTab } from './load-database.ts';
import { byStart, isKept, loadParts, observedFromMs, partsOf } from './load-parts.ts';

/** Maximum number of loads; the oldest are forgotten first. */
const mostLoads = 200;
/** Maximum number of observations of all loads; those of the oldest loads are removed first. */
const mostObservations = 400_000;
/** Maximum number of forgotten loads that are remembered, so that their open pages do not bring them back. */
const mostForgotten = 1000;
/**
 * A document is stored at most this long after its navigation began and its tab was recorded, ms; far above the longest
 * wait for a response. Until then its observations belong to no load.
 */
const unstoredMs = 3_600_000;

/** Observations that can be stored before they are counted again. */
let room = 0;

/**
 * Whether `count` more observations can be stored. Makes room by removing those that belong to no load, and by forgetting
 * the oldest loads. The newest load always stays, whatever its size, so there may be no room.
 */
export async function roomFor(count: number): Promise<boolean> {
  if (room < count) {
    const db = await database();
    await forgetBeforeOldest();
    room = mostObservations - (await db.count('observations'));
    while (room < count && (await forgetOldest()))
      room = mostObservations - (await db.count('observations'));
  }
  if (room < count) return false;
  room -= count;
  return true;
}

/** Counts observations of these loads that were not stored because the store was full. */
export async function refused(ids: readonly string[], count: number): Promise<void> {
  const db = await database();
  const transaction = db.transaction('documents', 'readwrite');
  for (const id of ids) {
    const document = await transaction.store.get(id);
    if (!document) continue;
    const refusedObservations = (document.refusedObservations ?? 0) + count;
    void transaction.store.put({ ...document, refusedObservations });
  }
  await transaction.done;
}

/** Forgets the oldest loads when there are too many. */
export async function forgetSurplus(): Promise<void> {
  const { kept } = await loadsByAge();
  for (let surplus = kept.length - mostLoads; surplus > 0; surplus--) await forgetOldest();
}

/** Forgets the oldest load unless it is also the newest. Returns whether it forgot one. */
async function forgetOldest(): Promise<boolean> {
  const { kept } = await loadsByAge();
  const [oldest] = kept;
  if (!oldest || kept.length === 1) return false;
  await forgetLoad(oldest.id);
  return true;
}

async function loadsByAge() {
  const all = await (await database()).getAll('documents');
  const byAge = all.toSorted(byStart);
  return { kept: byAge.filter(isKept), forgotten: byAge.filter((each) => !isKept(each)) };
}

/**
 * Removes a load and its observations. Observations of service workers may also belong to loads of other tabs: they are
 * removed when they are older than all loads.
 */
export async function forgetLoad(id: string): Promise<void> {
  const db = await database();
  const parts = await loadParts(id);
  if (!parts) return;
  const transaction = db.transaction(
    ['documents', 'observations', 'changes', 'heads'],
    'readwrite',
  );
  void transaction.objectStore('documents').put({ ...parts.document, isForgotten: true });
  void transaction.objectStore('changes').delete(id);
  void transaction.objectStore('heads').delete(id);
  for (const key of keysInTab(parts)) void transaction.objectStore('observations').delete(key);
  await transaction.done;
  room = 0;
  await forgetBeforeOldest();
}

/** Removes what no load needs: observations that belong to none, and watches that ended before the oldest load. */
async function forgetBeforeOldest(): Promise<void> {
  await forgetUnowned();
  const db = await database();
  const { kept, forgotten } = await loadsByAge();
  const fromMs = firstOwnedMs(kept);
  const transaction = db.transaction(['watches', 'documents'], 'readwrite');
  const watches = transaction.objectStore('watches');
  for (const { key, toMs } of await watches.getAll())
    if (toMs !== null && toMs < fromMs) void watches.delete(key);
  const surplus = forgotten.slice(0, Math.max(0, forgotten.length - mostForgotten));
  for (const { id } of surplus) void transaction.objectStore('documents').delete(id);
  await transaction.done;
}

/**
 * Removes observations of a tab from before its oldest load, and those without a tab from before the oldest of all. In one
 * transaction: a load that is stored meanwhile keeps its observations.
 */
async function forgetUnowned(): Promise<void> {
  const db = await database();
  const transaction = db.transaction(['observations', 'watches', 'documents'], 'readwrite');
  const kept = (await transaction.objectStore('documents').getAll()).filter(isKept);
  const watches = await transaction.objectStore('watches').getAll();
  const places = transaction.objectStore('observations').index('place');
  let cursor = await places.openKeyCursor();
  while (cursor) {
    const [tabId] = cursor.key;
    const own = kept.filter((each) => tabId === noTab || each.tabId === tabId);
    const before = IDBKeyRange.bound([tabId, 0], [tabId, firstOwnedMs(own)], false, true);
    const isNew = watches.some((watch) => watch.tabId === tabId && isRecent(watch));
    for (const key of isNew ? [] : await places.getAllKeys(before))
      void transaction.objectStore('observations').delete(key);
    cursor = await cursor.continue([tabId, Infinity]);
  }
  await transaction.done;
}

/** Time of the first observations that may be of one of these loads, or of a load that is not stored yet, ms. */
function firstOwnedMs(loads: readonly ObservedDocument[]): number {
  return least([Date.now() - unstoredMs, ...loads.map(observedFromMs)]);
}

/** Whether a tab has been recorded only recently: frames of its open page may report before the document does. */
function isRecent({ depth, fromMs }: Watch): boolean {
  return depth === 'page' && fromMs > Date.now() - unstoredMs;
}

/**
 * Pages of a closed browser report nothing any more: their forgotten loads need not be remembered. What was observed of
 * them since they were forgotten would be in the load before.
 */
export async function forgetTraces(): Promise<void> {
  const db = await database();
  for (const document of (await loadsByAge()).forgotten) {
    for (const key of keysInTab(await partsOf(document))) await db.delete('observations', key);
    await db.delete('documents', document.id);
  }
  await forgetBeforeOldest();
}

/** The observations that can be of no other tab's load. */
function keysInTab({ observations }: LoadParts): string[] {
  return observations.filter(({ tabId }) => tabId !== noTab).map(({ key }) => key);
}
