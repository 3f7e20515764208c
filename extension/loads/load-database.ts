import type { LoadHead } from '@cachescope/model/load/load.ts';
import type { Observation, ObservedDocument, Watch } from '@cachescope/model/load/observation.ts';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** Counts the changes of a load, so that a result from before the latest one is known to be outdated. */
export interface Change {
  /** Id of the load. */
  id: string;
  count: number;
}

/** The head of a load after `count` changes. */
export interface StoredHead {
  id: string;
  count: number;
  head: LoadHead;
}

export interface LoadSchema extends DBSchema {
  documents: { key: string; value: ObservedDocument; indexes: { place: [number, number] } };
  observations: { key: string; value: Observation; indexes: { place: [number, number] } };
  watches: { key: string; value: Watch; indexes: { tab: number } };
  changes: { key: string; value: Change };
  heads: { key: string; value: StoredHead };
}

export type LoadDatabase = IDBPDatabase<LoadSchema>;

const version = 2;
let opening: Promise<LoadDatabase> | undefined;

/** The extension's database of loads, opened once per process. */
export function database(): Promise<LoadDatabase> {
  opening ??= opened();
  return opening;
}

function opened(): Promise<LoadDatabase> {
  const attempt = openDB<LoadSchema>('cachescope', version, {
    upgrade(db, from) {
      if (from < 1) {
        const place = ['tabId', 'startedAtMs'];
        db.createObjectStore('documents', { keyPath: 'id' }).createIndex('place', place);
        db.createObjectStore('observations', { keyPath: 'key' }).createIndex('place', place);
        db.createObjectStore('watches', { keyPath: 'key' }).createIndex('tab', 'tabId');
      }
      db.createObjectStore('changes', { keyPath: 'id' });
      db.createObjectStore('heads', { keyPath: 'id' });
    },
    blocking: () => void opening?.then((db) => db.close()).then(() => (opening = undefined)),
    terminated: () => (opening = undefined),
  });
  // A failed attempt is repeated at the next call.
  attempt.catch(() => (opening = undefined));
  return attempt;
}

/** Tab id of service workers' own fetches, which name no tab. */
export const noTab = -1;

/** Range of the index `place`: one tab, from one wall-clock time to another, ms. */
export function placesOf(tabId: number, fromMs: number, toMs: number): IDBKeyRange {
  return IDBKeyRange.bound([tabId, fromMs], [tabId, toMs]);
}
