import type { Answer } from './answer.ts';
import type { WorkerEvidence } from './evidence.ts';
import { inferred, type Rule, stated } from './reading.ts';

/**
 * The network won a race against the fetch handler. Both witnesses still name the handler; their other fields are
 * right.
 */
export function isRaceWonByNetwork({ routerMatched, routerActual }: WorkerEvidence): boolean {
  return routerMatched === 'race-network-and-fetch-handler' && routerActual === 'network';
}

/** Every way in which a service worker can answer. */
export const workerAnswers: readonly Answer[] = [
  'service-worker/network',
  'service-worker/http-cache',
  'service-worker/revalidated',
  'service-worker/cache-storage',
  'service-worker/synthetic',
];

const network: readonly Answer[] = ['service-worker/network', 'service-worker/revalidated'];

/** The rules for a response of a service worker, as determined by `isAnswered`. */
export function workerRules<Seen extends WorkerEvidence>(
  isAnswered: (seen: Seen) => boolean,
): Rule<Seen>[] {
  const from = (source: string) => (seen: Seen) =>
    isAnswered(seen) && !isRaceWonByNetwork(seen) && seen.serviceWorkerResponseSource === source;
  const isFromNetwork = from('network');
  return [
    stated(
      from('cache-storage'),
      ['service-worker/cache-storage'],
      'served by a service worker from Cache Storage',
    ),
    stated(
      from('http-cache'),
      ['service-worker/http-cache'],
      'served by a service worker from the HTTP cache',
    ),
    stated(
      from('fallback-code'),
      ['service-worker/synthetic'],
      'served by a service worker that made the response itself',
    ),
    stated(
      (seen) => isFromNetwork(seen) && seen.serviceWorkerFetchStatus === 304,
      ['service-worker/revalidated'],
      'served by a service worker; the origin answered its own fetch with 304',
    ),
    stated(
      (seen) => isFromNetwork(seen) && Boolean(seen.serviceWorkerFetchStatus),
      ['service-worker/network'],
      'served by a service worker; the origin answered its own fetch',
    ),
    inferred(
      isFromNetwork,
      network,
      'served by a service worker from the network; its own fetch was not observed',
    ),
  ];
}
