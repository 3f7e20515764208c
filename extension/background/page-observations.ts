import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import type { PageBatch, PageUse } from '@cachescope/model/load/page-batch.ts';
import {
  requestDurationMs,
  type ResourceTiming,
} from '@cachescope/model/attribution/resource-timing.ts';
import { decodedCoding } from '@cachescope/model/coding.ts';
import { originEvidence } from '../page/origin-evidence.ts';
import { typeOfInitiator } from '@cachescope/model/load/resource-type.ts';

/** The document that sent a batch, as Chromium identifies it. */
export interface Sender {
  tabId: number;
  frameId: number;
  documentId: string;
}

/** The loads that a batch of a main frame reports: the document's, and its latest restore. */
export function documentsOf(batch: PageBatch, { tabId, documentId }: Sender): ObservedDocument[] {
  const { activationStartMs } = batch;
  // A time before activation counts as 0: the user saw the document only then.
  const sinceActivation = (ms: number | null) =>
    ms === null ? null : Math.max(0, ms - activationStartMs);
  const document: ObservedDocument = {
    id: documentId,
    tabId,
    documentId,
    url: batch.url,
    startedAtMs: batch.timeOriginMs + activationStartMs,
    ...(activationStartMs > 0 ? { timeOriginMs: batch.timeOriginMs } : {}),
    navigationType: navigationTypes.find((type) => type === batch.navigationType) ?? 'unknown',
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

const navigationTypes = ['navigate', 'reload', 'back_forward', 'prerender'] as const;

/** The observations of the resources in a batch. */
export function pageObservations(batch: PageBatch, sender: Sender): Observation[] {
  // about:blank is not requested, and its document is another to each witness: webRequest names the parent's.
  const isBlank = batch.isBlank ?? batch.url.startsWith('about:');
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
    frameId,
    url: use.url,
    startedAtMs,
    // For a use without an entry only the end is known; it is used as the start.
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
      ...originEvidence(use.url, batch.origin),
    },
  };
}

function endOf(timing: ResourceTiming, startedAtMs: number): number | null {
  const durationMs = requestDurationMs(timing);
  return durationMs === null ? null : startedAtMs + durationMs;
}

function factsOf({ isPreload }: PageUse, timing: ResourceTiming): Observation['facts'] {
  const { responseStart, responseStatus, contentType, contentEncoding, initiatorType } = timing;
  // Sizes of 0 without a responseStart are hidden, not 0. A 304 that revalidates a memory cache entry is reported
  // without a body, although the page got one.
  const isUnsized = !responseStart || (timing.transferSize === 300 && timing.encodedBodySize === 0);
  // For a response of a service worker both sizes are the decoded size.
  const isFromWorker = (timing.workerStart ?? 0) > 0;
  const mimeType = contentType?.split(';')[0]?.trim() || null;
  return {
    status: responseStatus || null,
    type: typeOfInitiator(initiatorType, mimeType),
    mimeType,
    initiatorType: initiatorType ?? null,
    coding: codingOf(timing, contentEncoding),
    transferredBytes: null,
    encodedBytes: isUnsized || isFromWorker ? null : (timing.encodedBodySize ?? null),
    decodedBytes: isUnsized ? null : (timing.decodedBodySize ?? null),
    isPreload,
  };
}

/**
 * contentEncoding is empty both for an uncoded response and for a hidden one. Where it is `multiple` or `@unknown`, only
 * the sizes tell whether anything was decoded.
 */
function codingOf(timing: ResourceTiming, coding: string | undefined) {
  const { responseStatus, responseStart, encodedBodySize, decodedBodySize } = timing;
  if (coding && decodedCoding(coding) !== 'identity') return coding.toLowerCase();
  if (coding) return encodedBodySize && encodedBodySize === decodedBodySize ? 'identity' : null;
  return coding === '' && responseStatus && responseStart ? 'identity' : null;
}
