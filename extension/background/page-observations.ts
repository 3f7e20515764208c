import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import type { PageBatch, PageUse } from '@cachescope/model/load/page-batch.ts';
import type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';
import { typeOfInitiator } from '@cachescope/model/load/resource-type.ts';

/** Which document sent a batch, as Chromium says. */
export interface Sender {
  tabId: number;
  frameId: number;
  documentId: string;
}

/** The loads that a batch of a main frame tells of: its document's, and the newest restore of it. */
export function documentsOf(batch: PageBatch, { tabId, documentId }: Sender): ObservedDocument[] {
  const { activationStartMs } = batch;
  // What was reached before anybody saw the document was there at once.
  const sinceActivation = (ms: number | null) =>
    ms === null ? null : Math.max(0, ms - activationStartMs);
  const document: ObservedDocument = {
    id: documentId,
    tabId,
    documentId,
    url: batch.url,
    startedAtMs: batch.timeOriginMs + activationStartMs,
    ...(activationStartMs > 0 ? { timeOriginMs: batch.timeOriginMs } : {}),
    navigationType: navigationTypeOf(batch.navigationType),
    domContentLoadedMs: sinceActivation(batch.domContentLoadedMs),
    loadMs: sinceActivation(batch.loadMs),
    droppedEntries: batch.droppedEntries,
  };
  if (batch.restoredAtMs === null) return [document];
  const { timeOriginMs: _, ...shown } = document;
  const restore: ObservedDocument = {
    ...shown,
    id: `${documentId} ${batch.restoredAtMs}`,
    startedAtMs: batch.timeOriginMs + batch.restoredAtMs,
    navigationType: 'back-forward-cache',
    domContentLoadedMs: null,
    loadMs: null,
  };
  return [document, restore];
}

function navigationTypeOf(type: string | null): ObservedDocument['navigationType'] {
  switch (type) {
    case 'navigate':
    case 'reload':
    case 'back_forward':
    case 'prerender':
      return type;
    default:
      return 'unknown';
  }
}

/** What a batch tells of resources. */
export function pageObservations(batch: PageBatch, sender: Sender): Observation[] {
  // A blank document was not asked for; and Chromium names it differently to each witness.
  const isBlank = batch.url.startsWith('about:');
  const uses = batch.uses
    .filter(({ url }) => !url.startsWith('about:'))
    .map((use) => observationOf(use, batch, sender))
    .map(({ documentId, ...use }): Observation =>
      isBlank || documentId === undefined ? use : { ...use, documentId },
    );
  if (batch.restoredAtMs === null || sender.frameId !== 0) return uses;
  return [...uses, restoreOf(batch, batch.restoredAtMs, sender)];
}

function restoreOf(batch: PageBatch, restoredAtMs: number, sender: Sender): Observation {
  const { tabId, documentId } = sender;
  return {
    witness: 'page',
    key: `page ${documentId} restored ${restoredAtMs}`,
    tabId,
    documentId,
    url: batch.url,
    startedAtMs: batch.timeOriginMs + restoredAtMs,
    endedAtMs: batch.timeOriginMs + restoredAtMs,
    context: 'document',
    facts: { type: 'document' },
    evidence: { timing: null, isBackForwardRestore: true },
  };
}

function observationOf(use: PageUse, batch: PageBatch, sender: Sender): Observation {
  const { timeOriginMs } = batch;
  const { tabId, documentId, frameId } = sender;
  const { timing, earlierEntry, hasServiceWorker, blockedBy } = use;
  const startedAtMs = timeOriginMs + use.atMs;
  return {
    witness: 'page',
    key: `page ${documentId} ${use.index}`,
    tabId,
    documentId,
    url: use.url,
    startedAtMs,
    // Of a use without an entry only the end is known, which stands for its start here.
    endedAtMs: timing ? endOf(timing, startedAtMs) : null,
    ...(timing?.responseStart ? { responseStartedAtMs: timeOriginMs + timing.responseStart } : {}),
    context: frameId === 0 ? 'document' : 'frame',
    facts: timing
      ? factsOf(use, timing)
      : { type: typeOfInitiator(use.tag, null), isPreload: false },
    evidence: {
      timing,
      hasServiceWorker,
      ...(earlierEntry ? { earlierEntry } : {}),
      ...(blockedBy === undefined ? {} : { blockedBy }),
      ...(mayBeBlocked(use, batch) ? { mayBeBlocked: true } : {}),
    },
  };
}

/** A navigation's duration lasts until its load event; its document has come with the end of the response. */
function endOf(timing: ResourceTiming, startedAtMs: number): number | null {
  const { initiatorType, startTime, responseEnd = 0, duration } = timing;
  if (initiatorType !== 'navigation') return startedAtMs + duration;
  return responseEnd > 0 ? startedAtMs + responseEnd - startTime : null;
}

/** Nothing hides the times of a document's own origin; and what is less secure than the document is not asked for. */
function mayBeBlocked({ url }: PageUse, { origin }: PageBatch): boolean {
  const own = URL.parse(url);
  return (
    own?.origin === origin || (own?.protocol === 'http:' && origin?.startsWith('https:') === true)
  );
}

/** Sizes of 0 with no time of a response are hidden, not known to be 0. */
function factsOf({ isPreload }: PageUse, timing: ResourceTiming): Observation['facts'] {
  const { responseStart, responseStatus, contentType, contentEncoding, initiatorType } = timing;
  const isHidden = !responseStart;
  // A service worker's answer is told with its decoded size twice.
  const isFromWorker = (timing.workerStart ?? 0) > 0;
  const mimeType = contentType?.split(';')[0]?.trim() || null;
  return {
    status: responseStatus || null,
    type: typeOfInitiator(initiatorType, mimeType),
    mimeType,
    initiatorType: initiatorType ?? null,
    coding: codingOf(timing, contentEncoding),
    transferredBytes: null,
    encodedBytes: isHidden || isFromWorker ? null : encodedOf(timing),
    decodedBytes: isHidden ? null : decodedOf(timing),
    isPreload,
  };
}

/** Resource Timing leaves the coding empty when there was none, and when it may not tell. */
function codingOf({ responseStatus, responseStart }: ResourceTiming, coding: string | undefined) {
  if (coding) return coding.toLowerCase();
  return coding === '' && responseStatus && responseStart ? 'identity' : null;
}

/** A 304 for the memory cache is told without a body, although the page got one. */
function hasNoBody({ transferSize, encodedBodySize }: ResourceTiming): boolean {
  return transferSize === 300 && encodedBodySize === 0;
}

function encodedOf(timing: ResourceTiming): number | null {
  return hasNoBody(timing) ? null : (timing.encodedBodySize ?? null);
}

function decodedOf(timing: ResourceTiming): number | null {
  return hasNoBody(timing) ? null : (timing.decodedBodySize ?? null);
}
