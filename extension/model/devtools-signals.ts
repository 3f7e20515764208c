import type { Answer } from './cache-source-answer.ts';
import { read, type Reading, type Rule } from './cache-source-reading.ts';
import type { HarEvidence } from './evidence.ts';

/** What the HAR entry of an open DevTools says. null: DevTools was open, and has no entry for this use. */
export function readDevtools(evidence: HarEvidence | null): Reading {
  if (evidence === null) return { leaves: null, says: 'DevTools has no entry for this use' };
  return read(rules, evidence, 'the HAR entry fits no known delivery');
}

/** The network won a race against the fetch handler: DevTools names the handler all the same. */
const isRace = ({ routerMatched, routerActual }: HarEvidence): boolean =>
  routerMatched === 'race-network-and-fetch-handler' && routerActual === 'network';

const servedBy =
  (source: string) =>
  (seen: HarEvidence): boolean =>
    seen.fetchedViaServiceWorker && !isRace(seen) && seen.serviceWorkerResponseSource === source;

const workerNetwork: readonly Answer[] = ['service-worker/network', 'service-worker/revalidated'];

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const rules: readonly Rule<HarEvidence>[] = [
  {
    when: ({ status }) => redirects.has(status),
    leaves: null,
    says: 'the entry is that of a redirect; its target has another',
  },
  {
    when: ({ fromCache }) => fromCache === 'memory',
    // DevTools says so of data: URLs too.
    leaves: ['memory', 'data'],
    says: '_fromCache is memory',
    isOutright: true,
  },
  {
    when: servedBy('cache-storage'),
    leaves: ['service-worker/cache-storage'],
    says: 'served by a service worker from Cache Storage',
    isOutright: true,
  },
  {
    when: servedBy('http-cache'),
    leaves: ['service-worker/http-cache'],
    says: 'served by a service worker from the HTTP cache',
    isOutright: true,
  },
  {
    when: servedBy('fallback-code'),
    leaves: ['service-worker/synthetic'],
    says: 'served by a service worker that made the response itself',
    isOutright: true,
  },
  {
    when: (seen) => servedBy('network')(seen) && seen.serviceWorkerFetchStatus === 304,
    leaves: ['service-worker/revalidated'],
    says: 'served by a service worker, whose own fetch was answered 304',
    isOutright: true,
  },
  {
    when: (seen) => servedBy('network')(seen) && Boolean(seen.serviceWorkerFetchStatus),
    leaves: ['service-worker/network'],
    says: 'served by a service worker, whose own fetch was answered by the origin',
    isOutright: true,
  },
  {
    when: servedBy('network'),
    leaves: workerNetwork,
    says: 'served by a service worker from the network; a 304 of its own fetch does not show',
  },
  {
    when: ({ status }) => status === 304,
    leaves: ['revalidated/http-cache', 'revalidated/memory-cache', 'network/not-modified'],
    says: 'the origin answered 304',
  },
  {
    when: ({ fromCache }) => fromCache === 'disk',
    leaves: ['disk', 'prefetch/link', 'stale-while-revalidate', 'early-hints'],
    says: '_fromCache is disk',
  },
  {
    when: isRace,
    leaves: ['network', 'revalidated/http-cache'],
    says: 'the network won the race against the service worker',
  },
  {
    when: ({ transferSize }) => transferSize !== null && transferSize > 0,
    leaves: ['network', 'prefetch/speculation'],
    says: 'DevTools names no cache',
  },
];
