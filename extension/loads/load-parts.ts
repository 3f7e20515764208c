import type { LoadParts } from '@cachescope/model/load/join.ts';
import { ownObservations } from '@cachescope/model/load/own-observations.ts';
import { endOfLoad, restoreReachMs, slackMs } from '@cachescope/model/load/load-span.ts';
import type { ObservedDocument } from '@cachescope/model/load/observation.ts';
import { database, noTab, placesOf } from './load-database.ts';

/** A document may make requests for at most this long after the next one began, ms. */
const overlapMs = 30_000;

/** Documents of all tabs, newest first, without forgotten ones. */
export async function documents(): Promise<ObservedDocument[]> {
  const all = await (await database()).getAll('documents');
  return all.filter(isKept).toSorted((one, other) => byStart(other, one));
}

/** The stored parts of one load; undefined when there is no such load. */
export async function loadParts(id: string): Promise<LoadParts | undefined> {
  const document = await (await database()).get('documents', id);
  return document && isKept(document) ? partsOf(document) : undefined;
}

/** The stored parts of the load of a document, which may be forgotten. */
export async function partsOf(document: ObservedDocument): Promise<LoadParts> {
  const db = await database();
  const { tabId, startedAtMs, timeOriginMs = startedAtMs, url } = document;
  const siblings = await db.getAllFromIndex('documents', 'place', placesOf(tabId, 0, Infinity));
  const endMs = endOfLoad(document, siblings);
  const inReach = (tab: number, fromMs: number, toMs: number) =>
    db.getAllFromIndex('observations', 'place', placesOf(tab, fromMs, toMs));
  const ofTab = await inReach(tabId, observedFromMs(document), endMs + overlapMs);
  const ofWorkers = await inReach(noTab, timeOriginMs - slackMs, endMs - slackMs);
  return {
    document,
    observations: [
      ...ownObservations(document, siblings, ofTab),
      ...ofWorkers.filter((each) => originOf(each.url) === originOf(url)),
    ],
    watches: await db.getAllFromIndex('watches', 'tab', tabId),
    readAtMs: Date.now(),
  };
}

/** Time of the first observations that may be of a load, wall clock, ms. */
export function observedFromMs(document: ObservedDocument): number {
  const { startedAtMs, timeOriginMs = startedAtMs, navigationType } = document;
  return timeOriginMs - (navigationType === 'back-forward-cache' ? restoreReachMs : slackMs);
}

/** Whether the load has not been forgotten. */
export function isKept({ isForgotten }: ObservedDocument): boolean {
  return isForgotten !== true;
}

/** Order of start, oldest first. */
export function byStart(one: ObservedDocument, other: ObservedDocument): number {
  return one.startedAtMs - other.startedAtMs;
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}
