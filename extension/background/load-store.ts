import type { LoadParts } from '@cachescope/model/join.ts';
import type { Observation, ObservedDocument, Watch } from '@cachescope/model/observation.ts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** Loads kept; the oldest go first. */
const mostLoads = 200;
/** Observations kept over all loads; those of the oldest loads go first. */
const mostObservations = 400_000;
/** Witnesses' clocks differ: a load's own request may seem to begin this much before its time origin, ms. */
const slackMs = 15;
/** A document may still ask while the next one is on its way, ms. */
const overlapMs = 30_000;
/** Service workers' own fetches name no tab. */
const noTab = -1;

interface Schema extends DBSchema {
  documents: { key: string; value: ObservedDocument; indexes: { place: [number, number] } };
  observations: { key: string; value: Observation; indexes: { place: [number, number] } };
  watches: { key: string; value: Watch; indexes: { tab: number } };
}

let opening: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>('cachescope', 1, {
    upgrade(db) {
      const place = ['tabId', 'startedAtMs'];
      db.createObjectStore('documents', { keyPath: 'id' }).createIndex('place', place);
      db.createObjectStore('observations', { keyPath: 'key' }).createIndex('place', place);
      db.createObjectStore('watches', { keyPath: 'key' }).createIndex('tab', 'tabId');
    },
    blocking: () => void opening?.then((db) => db.close()).then(() => (opening = undefined)),
    terminated: () => (opening = undefined),
  });
  return opening;
}

/** Stores what a witness told. Settles when it is stored; the same key again replaces it. */
export async function putObservations(observations: readonly Observation[]): Promise<void> {
  if (observations.length === 0) return;
  const db = await database();
  const transaction = db.transaction('observations', 'readwrite', { durability: 'relaxed' });
  for (const observation of observations) void transaction.store.put(observation);
  await transaction.done;
}

export async function getObservation(key: string): Promise<Observation | undefined> {
  return (await database()).get('observations', key);
}

/** Stores or completes a document, and forgets the oldest loads when there are too many. */
export async function putDocument(document: ObservedDocument): Promise<void> {
  const db = await database();
  const isNew = (await db.getKey('documents', document.id)) === undefined;
  await db.put('documents', document);
  if (isNew) await forgetOldest(db);
}

async function forgetOldest(db: IDBPDatabase<Schema>): Promise<void> {
  const documents = (await db.getAll('documents')).toSorted(byStart);
  const isFull = (await db.count('observations')) > mostObservations;
  const surplus = Math.max(documents.length - mostLoads, isFull ? 1 : 0);
  // The newest stays whatever its size.
  for (const { id } of documents.slice(0, Math.min(surplus, documents.length - 1)))
    await forgetLoad(id);
  // What service workers fetched before the oldest load belongs to none.
  const oldest = documents[surplus]?.startedAtMs;
  if (surplus > 0 && oldest !== undefined) await forgetBefore(db, oldest - slackMs);
}

async function forgetBefore(db: IDBPDatabase<Schema>, timeMs: number): Promise<void> {
  const keys = await db.getAllKeysFromIndex('observations', 'place', placesOf(noTab, 0, timeMs));
  const transaction = db.transaction('observations', 'readwrite');
  for (const key of keys) void transaction.store.delete(key);
  await transaction.done;
}

/** Removes a load and what was observed in its time. */
export async function forgetLoad(id: string): Promise<void> {
  const db = await database();
  const parts = await loadParts(id);
  if (!parts) return;
  const transaction = db.transaction(['documents', 'observations'], 'readwrite');
  void transaction.objectStore('documents').delete(id);
  for (const { key } of parts.observations)
    void transaction.objectStore('observations').delete(key);
  await transaction.done;
}

/** Documents of all tabs, newest first. */
export async function documents(): Promise<ObservedDocument[]> {
  return (await (await database()).getAll('documents')).toSorted((one, other) =>
    byStart(other, one),
  );
}

/** What is stored of one load; undefined when there is no such load. */
export async function loadParts(id: string): Promise<LoadParts | undefined> {
  const db = await database();
  const document = await db.get('documents', id);
  if (!document) return undefined;
  const { tabId, startedAtMs, url } = document;
  const siblings = await db.getAllFromIndex('documents', 'place', placesOf(tabId, 0, Infinity));
  const endMs = Math.min(
    ...siblings.map((each) => each.startedAtMs).filter((start) => start > startedAtMs),
  );
  const inReach = (tab: number, toMs: number) =>
    db.getAllFromIndex('observations', 'place', placesOf(tab, startedAtMs - slackMs, toMs));
  const ofTab = await inReach(tabId, endMs + overlapMs);
  const ofWorkers = await inReach(noTab, endMs - slackMs);
  const owners = new Set(siblings.map(({ documentId }) => documentId));
  const isInTime = (time: number) => time < endMs - slackMs;
  const isOwn = ({ documentId, startedAtMs: time, witness, evidence }: Observation) => {
    if (documentId === undefined || !owners.has(documentId)) return isInTime(time);
    if (documentId !== document.documentId) return false;
    // A restored document has had loads before: time tells them apart.
    const isShared = siblings.filter((each) => each.documentId === documentId).length > 1;
    const isRestore = witness === 'page' && evidence.isBackForwardRestore === true;
    return isShared ? isInTime(time) || (isRestore && time === startedAtMs) : true;
  };
  return {
    document,
    observations: [
      ...ofTab.filter(isOwn),
      ...ofWorkers.filter((each) => originOf(each.url) === originOf(url)),
    ],
    watches: await db.getAllFromIndex('watches', 'tab', tabId),
    readAtMs: Date.now(),
  };
}

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

function placesOf(tabId: number, fromMs: number, toMs: number): IDBKeyRange {
  return IDBKeyRange.bound([tabId, fromMs], [tabId, toMs]);
}

function byStart(one: ObservedDocument, other: ObservedDocument): number {
  return one.startedAtMs - other.startedAtMs;
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}
