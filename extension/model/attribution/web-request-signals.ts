import type { Answer } from './answer.ts';
import { isAborted, isUnsent, mayHaveBody } from './failure.ts';
import { read, type Reading, type Rule } from './reading.ts';
import type { WebRequestEvidence } from './evidence.ts';

/** Interprets chrome.webRequest. null: it watched and reported nothing about this use. */
export function readWebRequest(evidence: WebRequestEvidence | null): Reading {
  if (evidence === null) {
    return { leaves: unseen, says: 'chrome.webRequest reported no request' };
  }
  return read(rules, evidence, 'no rule');
}

/** Deliveries without a request by the page at the time of the use. */
const unseen: readonly Answer[] = [
  'memory',
  'preload',
  'same-document',
  'bfcache',
  'prefetch/speculation',
  'service-worker/network',
  'service-worker/http-cache',
  'service-worker/revalidated',
  'service-worker/cache-storage',
  'service-worker/synthetic',
  'data',
  'blob',
  'blocked',
  'failed',
];

/** Answers to a request that the browser made for the page. A service worker's own fetches are separate requests. */
const fromHttpCache: readonly Answer[] = [
  'disk',
  'stale-while-revalidate',
  'prefetch/link',
  'early-hints',
  'revalidated/http-cache',
  'mixed',
];
/** A service worker may have passed on what the browser requested while the worker started (navigation preload). */
const preloadedFromCache: readonly Answer[] = [
  'service-worker/http-cache',
  'service-worker/revalidated',
];

const rules: readonly Rule<WebRequestEvidence>[] = [
  {
    when: ({ error }) => isUnsent(error),
    leaves: ['blocked'],
    says: 'onErrorOccurred: the request was not sent',
    isOutright: true,
  },
  {
    when: ({ error }) => mayHaveBody(error),
    leaves: ['failed', 'network', 'service-worker/network', ...fromHttpCache],
    says: 'onErrorOccurred, perhaps after a part had arrived',
  },
  {
    when: ({ error }) => error !== undefined && !isAborted(error),
    leaves: ['failed'],
    says: 'onErrorOccurred: there is no complete response',
    isOutright: true,
  },
  {
    when: ({ statusCode }) => statusCode === 0,
    leaves: null,
    says: 'the request was aborted',
  },
  {
    // A worker of the page may request the URL at the same time, so two requests do not prove a revalidation.
    when: ({ fromCache, requests }) => fromCache && requests > 1,
    leaves: fromHttpCache,
    says: 'fromCache, and requested again immediately: revalidated because it was stale, or used elsewhere too',
  },
  {
    when: ({ fromCache, statusCode }) => fromCache && statusCode === 206,
    leaves: [...fromHttpCache, 'network'],
    says: 'fromCache: the HTTP cache holds a part of the body, perhaps not the requested one',
  },
  {
    when: ({ fromCache, isNavigation }) => fromCache && isNavigation === true,
    leaves: [...fromHttpCache, ...preloadedFromCache],
    says: 'fromCache: the HTTP cache held the document',
  },
  {
    when: ({ fromCache }) => fromCache,
    leaves: fromHttpCache,
    says: 'fromCache: the HTTP cache held the body',
  },
  {
    when: ({ statusCode }) => statusCode === 304,
    leaves: ['revalidated/memory-cache', 'network/not-modified'],
    says: 'status 304, and not from the HTTP cache',
  },
  {
    when: ({ isNavigation }) => isNavigation === true,
    leaves: ['network', 'prefetch/speculation', 'service-worker/network', 'failed'],
    says: 'the document is not from the HTTP cache',
  },
  {
    when: () => true,
    leaves: ['network', 'prefetch/speculation'],
    says: 'not from the HTTP cache',
  },
];
