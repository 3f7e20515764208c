import { slackMs } from '@cachescope/model/load/load-span.ts';
import { database, noTab, placesOf } from './load-database.ts';
import { byStart, isKept, loadParts } from './load-parts.ts';

/** Maximum number of loads; the oldest are forgotten first. */
const mostLoads = 200;
/** Maximum number of observations of all loads; those of the oldest loads are removed first. */
const mostObservations = 400_000;
/** Maximum number of forgotten loads that are remembered, so that their open pages do not bring them back. */
const mostForgotten = 1000;

/** Observations that can be stored before they are counted again. */
let room = 0;

/**
 * Whether `count` more observations can be stored. Makes room by forgetting the oldest loads. The newest load always
 * stays, whatever its size, so there may be no room.
 */
export async function roomFor(count: number): Promise<boolean> {
  if (room < count) {
    const db = await database();
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
  for (const { key, tabId } of parts.observations)
    if (tabId !== noTab) void transaction.objectStore('observations').delete(key);
  await transaction.done;
  room = 0;
  await forgetBeforeOldest();
}

/**
 * Observations without a tab from before the oldest load belong to no load, and no load needs a watch that ended
 * before.
 */
async function forgetBeforeOldest(): Promise<void> {
  const db = await database();
  const { kept, forgotten } = await loadsByAge();
  const oldest = kept[0];
  const fromMs = oldest ? (oldest.timeOriginMs ?? oldest.startedAtMs) - slackMs : Date.now();
  const keys = await db.getAllKeysFromIndex('observations', 'place', placesOf(noTab, 0, fromMs));
  const transaction = db.transaction(['observations', 'watches', 'documents'], 'readwrite');
  for (const key of keys) void transaction.objectStore('observations').delete(key);
  const watches = transaction.objectStore('watches');
  for (const { key, toMs } of await watches.getAll())
    if (toMs !== null && toMs < fromMs) void watches.delete(key);
  const surplus = forgotten.slice(0, Math.max(0, forgotten.length - mostForgotten));
  for (const { id } of surplus) void transaction.objectStore('documents').delete(id);
  await transaction.done;
}

/** Pages of a closed browser report nothing any more: their forgotten loads need not be remembered. */
export async function forgetTraces(): Promise<void> {
  const db = await database();
  for (const { id } of (await loadsByAge()).forgotten) await db.delete('documents', id);
  await forgetBeforeOldest();
}
