import type { Answer } from './cache-source-answer.ts';
import { read, type Reading, type Rule } from './cache-source-reading.ts';
import type { WebRequestEvidence } from './evidence.ts';

/** What chrome.webRequest says. null: it watched, and reported nothing of this use. */
export function readWebRequest(evidence: WebRequestEvidence | null): Reading {
  if (evidence === null) {
    return { leaves: unseen, says: 'chrome.webRequest reported no request' };
  }
  return read(rules, evidence, 'no rule');
}

/** Deliveries that make no request of the page's own at the time of the use. */
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
];

/** The browser asked in the page's name: the fetches of a service worker are requests of their own. */
const fromHttpCache: readonly Answer[] = [
  'disk',
  'stale-while-revalidate',
  'prefetch/link',
  'early-hints',
  'revalidated/http-cache',
];

const rules: readonly Rule<WebRequestEvidence>[] = [
  {
    when: ({ statusCode }) => statusCode === 0,
    leaves: null,
    says: 'the request failed or was given up',
  },
  {
    // A worker of the page may ask at the same time, so two requests do not prove a renewal.
    when: ({ fromCache, requests }) => fromCache && requests > 1,
    leaves: fromHttpCache,
    says: 'fromCache, and asked for again at once: renewed because it was stale, or used elsewhere too',
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
    when: () => true,
    leaves: ['network', 'prefetch/speculation'],
    says: 'not from the HTTP cache',
  },
];
