import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import { database, noTab, placesOf } from './load-database.ts';
import { forgetSurplus, refused, roomFor } from './load-limit.ts';
import { byStart, isKept } from './load-parts.ts';

/** DevTools' time of a navigation and the document's own time differ by less than this, ms. */
const sameStartMs = 1500;

/**
 * Stores a witness's observations. Resolves when they are stored, with the ids of the loads that may have changed. An
 * observation with a known key replaces the stored one. Observations of a forgotten load are dropped; those that exceed
 * the limit are counted.
 */
export async function putObservations(observations: readonly Observation[]): Promise<string[]> {
  if (observations.length === 0) return [];
  const db = await database();
  const isRoom = await roomFor(observations.length);
  const transaction = db.transaction(['observations', 'documents', 'changes'], 'readwrite', {
    durability: 'relaxed',
  });
  const store = transaction.objectStore('observations');
  const documents = (await transaction.objectStore('documents').getAll()).toSorted(byStart);
  const alive = new Set(documents.filter(isKept).map(({ documentId }) => documentId));
  const gone = new Set(
    documents.map(({ documentId }) => documentId).filter((id) => !alive.has(id)),
  );
  let refusedCount = 0;
  for (const observation of observations) {
    if (gone.has(observation.documentId ?? '')) continue;
    if (isRoom || (await store.getKey(observation.key)) !== undefined) void store.put(observation);
    else refusedCount++;
  }
  const ids = changedBy(observations, documents.filter(isKept));
  const changes = transaction.objectStore('changes');
  for (const id of ids) void changes.put({ id, count: ((await changes.get(id))?.count ?? 0) + 1 });
  await transaction.done;
  if (refusedCount > 0) await refused(ids, refusedCount);
  return ids;
}

/**
 * Loads that these observations may belong to: those of their document, and the two newest of their tab. Observations
 * without a tab may belong to the two newest of every tab.
 */
function changedBy(
  observations: readonly Observation[],
  documents: readonly ObservedDocument[],
): string[] {
  const tabs = new Set(observations.map(({ tabId }) => tabId));
  const named = new Set(observations.map(({ documentId }) => documentId));
  const changed = documents.filter(({ documentId }) => named.has(documentId));
  for (const [tabId, own] of Map.groupBy(documents, ({ tabId }) => tabId)) {
    // The previous document may report its last observations after the newest one began.
    if (tabs.has(tabId) || tabs.has(noTab)) changed.push(...own.slice(-2));
  }
  return [...new Set(changed.map(({ id }) => id))];
}

export async function getObservation(key: string): Promise<Observation | undefined> {
  return (await database()).get('observations', key);
}

/**
 * Stores or updates a document, and forgets the oldest loads when there are too many. A forgotten document stays
 * forgotten while its page continues to report it. The document's own report replaces a provisional one from DevTools.
 * Returns the ids of the loads that have changed or were removed.
 */
export async function putDocument(document: ObservedDocument): Promise<string[]> {
  const replaced: string[] = [];
  const db = await database();
  const transaction = db.transaction(['documents', 'changes'], 'readwrite');
  const documents = transaction.objectStore('documents');
  const changes = transaction.objectStore('changes');
  const known = await documents.get(document.id);
  const { isForgotten, refusedObservations } = known ?? {};
  void documents.put({
    ...document,
    ...(isForgotten ? { isForgotten } : {}),
    ...(refusedObservations ? { refusedObservations } : {}),
  });
  const count = (await changes.get(document.id))?.count ?? 0;
  void changes.put({ id: document.id, count: count + 1 });
  if (!document.isProvisional) {
    const { tabId, startedAtMs } = document;
    const near = placesOf(tabId, startedAtMs - sameStartMs, startedAtMs + sameStartMs);
    for (const each of await documents.index('place').getAll(near)) {
      if (!each.isProvisional) continue;
      void documents.delete(each.id);
      replaced.push(each.id);
    }
  }
  await transaction.done;
  if (!known) await forgetSurplus();
  return [document.id, ...replaced];
}

/**
 * Whether the document of a navigation reported itself: one of the same origin, near this time. A document that only
 * DevTools reported is another navigation.
 */
export async function hasReported(tabId: number, url: string, timeMs: number): Promise<boolean> {
  const near = placesOf(tabId, timeMs - sameStartMs, timeMs + sameStartMs);
  const found = await (await database()).getAllFromIndex('documents', 'place', near);
  const origin = (text: string) => URL.parse(text)?.origin;
  return found.some((each) => !each.isProvisional && origin(each.url) === origin(url));
}
