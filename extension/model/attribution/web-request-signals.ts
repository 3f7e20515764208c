import type { Answer } from './answer.ts';
import { isAborted, isUnsent, mayHaveBody } from './failure.ts';
import { inferred, read, type Reading, type Rule, silent, stated } from './reading.ts';
import { redirectStatuses } from './depth.ts';
import type { WebRequestEvidence } from './evidence.ts';
import { workerAnswers } from './worker-signals.ts';

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
  ...workerAnswers,
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

/** Neither fetch() with redirect mode `manual` nor with `error` follows a redirect. */
const isUnfollowed = (error: string | undefined, statusCode: number): boolean =>
  isAborted(error) && redirectStatuses.has(statusCode);

/** Given up after the response had begun: Chromium reports a body that nobody reads any more as failed. */
const wasGivenUp = ({ error, hasResponse }: WebRequestEvidence): boolean =>
  hasResponse === true && (isAborted(error) || error === 'net::ERR_FAILED');

const rules: readonly Rule<WebRequestEvidence>[] = [
  stated(({ error }) => isUnsent(error), ['blocked'], 'onErrorOccurred: the request was not sent'),
  inferred(
    ({ error }) => mayHaveBody(error),
    ['failed', 'network', 'service-worker/network', ...fromHttpCache],
    'onErrorOccurred, perhaps after a part had arrived',
  ),
  inferred(
    ({ error, statusCode, fromCache }) => isUnfollowed(error, statusCode) && fromCache,
    ['failed', ...fromHttpCache],
    'a redirect from the HTTP cache that was not followed: the response, or refused',
  ),
  inferred(
    ({ error, statusCode }) => isUnfollowed(error, statusCode),
    ['failed', 'network', 'prefetch/speculation'],
    'a redirect that was not followed: the response, or refused',
  ),
  inferred(
    (seen) => wasGivenUp(seen) && seen.fromCache,
    [...fromHttpCache, ...preloadedFromCache, 'network'],
    'onErrorOccurred, after a response had begun: the HTTP cache held it, or a part of it',
  ),
  inferred(
    (seen) => wasGivenUp(seen) && seen.isNavigation === true,
    ['network', 'prefetch/speculation', 'service-worker/network'],
    'onErrorOccurred, after a document had begun that is not from the HTTP cache',
  ),
  inferred(
    wasGivenUp,
    ['network', 'prefetch/speculation'],
    'onErrorOccurred, after a response had begun that is not from the HTTP cache',
  ),
  stated(
    ({ error }) => error !== undefined && !isAborted(error),
    ['failed'],
    'onErrorOccurred: there is no complete response',
  ),
  silent(({ statusCode }) => statusCode === 0, 'the request was aborted'),
  // A worker of the page may request the URL at the same time, so two requests do not prove a revalidation.
  inferred(
    ({ fromCache, requests }) => fromCache && requests > 1,
    fromHttpCache,
    'fromCache, and requested again immediately: revalidated because it was stale, or used elsewhere too',
  ),
  inferred(
    ({ fromCache, statusCode }) => fromCache && statusCode === 206,
    [...fromHttpCache, 'network'],
    'fromCache: the HTTP cache holds a part of the body, perhaps not the requested one',
  ),
  inferred(
    ({ fromCache, isNavigation }) => fromCache && isNavigation === true,
    [...fromHttpCache, ...preloadedFromCache],
    'fromCache: the HTTP cache held the document',
  ),
  inferred(({ fromCache }) => fromCache, fromHttpCache, 'fromCache: the HTTP cache held the body'),
  inferred(
    ({ statusCode }) => statusCode === 304,
    ['revalidated/memory-cache', 'network/not-modified'],
    'status 304, and not from the HTTP cache',
  ),
  inferred(
    ({ isNavigation }) => isNavigation === true,
    ['network', 'prefetch/speculation', 'service-worker/network', 'failed'],
    'the document is not from the HTTP cache',
  ),
  inferred(() => true, ['network', 'prefetch/speculation'], 'not from the HTTP cache'),
];
