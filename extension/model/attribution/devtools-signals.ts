import { isAborted, isUnsent, mayHaveBody } from './failure.ts';
import { inferred, read, type Reading, type Rule, silent, stated } from './reading.ts';
import { redirectStatuses } from './depth.ts';
import type { HarEvidence } from './evidence.ts';
import { isRaceWonByNetwork, workerRules } from './worker-signals.ts';

/** Interprets the HAR entry of an open DevTools. null: DevTools was open and has no entry for this use. */
export function readDevtools(evidence: HarEvidence | null): Reading {
  if (evidence === null) return { leaves: null, says: 'DevTools has no entry for this use' };
  return read(rules, evidence, 'the HAR entry matches no known delivery');
}

/** A response that nobody wants is aborted, or reported as failed after its bytes; CORS has no bytes reported. */
const mayHaveCome = (error: string, transferSize: number | null): boolean =>
  mayHaveBody(error) || isAborted(error) || (error === 'net::ERR_FAILED' && Boolean(transferSize));

/** Only headers were transferred of a body that no content coding can have shortened. */
const isConfirmed = ({ status, isShort, isUncoded, error }: HarEvidence): boolean =>
  status === 200 && isShort === true && isUncoded === true && error === undefined;

const rules: readonly Rule<HarEvidence>[] = [
  stated(
    ({ status, error }) => redirectStatuses.has(status) && error !== undefined,
    ['failed'],
    '_error: the redirect was refused',
  ),
  silent(
    ({ status, isHanded }) => redirectStatuses.has(status) && !isHanded,
    'the entry describes a redirect; the target has an entry of its own',
  ),
  stated(({ error }) => isUnsent(error), ['blocked'], '_error: the request was not sent'),
  stated(
    ({ error, status, transferSize }) =>
      error !== undefined && (status === 0 || !mayHaveCome(error, transferSize)),
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
    ({ status, isLonger }) => status === 304 && isLonger === true,
    ['revalidated/http-cache', 'mixed'],
    'the origin answered 304 for a part of the body, and another answer for the rest followed',
  ),
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
    [
      'network',
      'mixed',
      'disk',
      'prefetch/link',
      'revalidated/http-cache',
      'revalidated/memory-cache',
    ],
    'only headers were transferred: a small part of the body, a 304 of which DevTools had not heard, or an answer that did not fit the stored part',
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
    (seen) => isConfirmed(seen) && seen.isFetch === true,
    ['revalidated/http-cache'],
    'only headers were transferred of a body without a content coding: a 304',
  ),
  inferred(
    isConfirmed,
    ['revalidated/http-cache', 'revalidated/memory-cache'],
    'only headers were transferred of a body without a content coding: a 304',
  ),
  inferred(
    ({ isShort }) => isShort === true,
    ['network', 'prefetch/speculation', 'revalidated/http-cache', 'revalidated/memory-cache'],
    'DevTools names no cache, and only headers were transferred: a small encoded body, or a 304',
  ),
  inferred(
    ({ isWithoutHeaders }) => isWithoutHeaders === true,
    ['network', 'prefetch/speculation', 'disk', 'prefetch/link', 'stale-while-revalidate'],
    'DevTools names no cache, and counts no headers: from the network, or an undecodable body from disk',
  ),
  inferred(
    ({ transferSize }) => transferSize !== null && transferSize > 0,
    ['network', 'prefetch/speculation'],
    'DevTools names no cache',
  ),
];
