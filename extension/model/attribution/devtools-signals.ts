import { isAborted, isUnsent, mayHaveBody } from './failure.ts';
import { inferred, read, type Reading, type Rule, silent, stated } from './reading.ts';
import type { HarEvidence } from './evidence.ts';
import { isRaceWonByNetwork, workerRules } from './worker-signals.ts';

/** Interprets the HAR entry of an open DevTools. null: DevTools was open and has no entry for this use. */
export function readDevtools(evidence: HarEvidence | null): Reading {
  if (evidence === null) return { leaves: null, says: 'DevTools has no entry for this use' };
  return read(rules, evidence, 'the HAR entry matches no known delivery');
}

const mayHaveCome = (error: string): boolean => mayHaveBody(error) || isAborted(error);

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const rules: readonly Rule<HarEvidence>[] = [
  silent(
    ({ status }) => redirects.has(status),
    'the entry describes a redirect; the target has an entry of its own',
  ),
  stated(({ error }) => isUnsent(error), ['blocked'], '_error: the request was not sent'),
  stated(
    ({ error, status }) => error !== undefined && (status === 0 || !mayHaveCome(error)),
    ['failed'],
    '_error: there is no response',
  ),
  inferred(
    ({ error, transferSize, fromCache, fetchedViaServiceWorker }) =>
      isAborted(error) && transferSize === 0 && !fromCache && !fetchedViaServiceWorker,
    ['failed'],
    '_error: it was given up before any byte had arrived',
  ),
  // DevTools reports this for data: URLs too.
  stated(({ fromCache }) => fromCache === 'memory', ['memory', 'data'], '_fromCache is memory'),
  ...workerRules<HarEvidence>(({ fetchedViaServiceWorker }) => fetchedViaServiceWorker),
  inferred(
    ({ status }) => status === 304,
    ['revalidated/http-cache', 'revalidated/memory-cache', 'network/not-modified'],
    'the origin answered 304',
  ),
  inferred(
    ({ fromCache }) => fromCache === 'disk',
    ['disk', 'prefetch/link', 'stale-while-revalidate', 'early-hints'],
    '_fromCache is disk',
  ),
  stated(({ status }) => status === 101, ['network'], 'a WebSocket was opened'),
  inferred(
    ({ status, isShort }) => status === 206 && isShort === true,
    ['network', 'mixed', 'revalidated/http-cache', 'revalidated/memory-cache'],
    'only headers were transferred: a small part of the body, or a 304 of which DevTools had not heard',
  ),
  inferred(
    ({ status, transferSize }) => status === 206 && Boolean(transferSize),
    ['network', 'mixed'],
    'a part of the body is from the network',
  ),
  inferred(
    isRaceWonByNetwork,
    ['network', 'revalidated/http-cache'],
    'the network won the race against the service worker',
  ),
  inferred(
    ({ isShort }) => isShort === true,
    ['network', 'prefetch/speculation', 'revalidated/http-cache', 'revalidated/memory-cache'],
    'DevTools names no cache, and only headers were transferred: a small encoded body, or a 304',
  ),
  inferred(
    ({ transferSize }) => transferSize !== null && transferSize > 0,
    ['network', 'prefetch/speculation'],
    'DevTools names no cache',
  ),
];
