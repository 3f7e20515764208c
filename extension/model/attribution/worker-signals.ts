import type { Answer } from './answer.ts';
import type { Rule } from './reading.ts';

/** The fields that DevTools and the protocol both report for a service worker's response, with the same values. */
interface WorkerEvidence {
  serviceWorkerResponseSource?: string | undefined;
  serviceWorkerFetchStatus?: number | null | undefined;
  routerMatched?: string | undefined;
  routerActual?: string | undefined;
}

/**
 * The network won a race against the fetch handler. Both witnesses still name the handler; their other fields are
 * right.
 */
export function isRaceWonByNetwork({ routerMatched, routerActual }: WorkerEvidence): boolean {
  return routerMatched === 'race-network-and-fetch-handler' && routerActual === 'network';
}

const network: readonly Answer[] = ['service-worker/network', 'service-worker/revalidated'];

/** The rules for a response of a service worker, as determined by `isAnswered`. */
export function workerRules<Seen extends WorkerEvidence>(
  isAnswered: (seen: Seen) => boolean,
): Rule<Seen>[] {
  const from = (source: string) => (seen: Seen) =>
    isAnswered(seen) && !isRaceWonByNetwork(seen) && seen.serviceWorkerResponseSource === source;
  const isFromNetwork = from('network');
  return [
    {
      when: from('cache-storage'),
      leaves: ['service-worker/cache-storage'],
      says: 'served by a service worker from Cache Storage',
      isOutright: true,
    },
    {
      when: from('http-cache'),
      leaves: ['service-worker/http-cache'],
      says: 'served by a service worker from the HTTP cache',
      isOutright: true,
    },
    {
      when: from('fallback-code'),
      leaves: ['service-worker/synthetic'],
      says: 'served by a service worker that made the response itself',
      isOutright: true,
    },
    {
      when: (seen) => isFromNetwork(seen) && seen.serviceWorkerFetchStatus === 304,
      leaves: ['service-worker/revalidated'],
      says: 'served by a service worker; the origin answered its own fetch with 304',
      isOutright: true,
    },
    {
      when: (seen) => isFromNetwork(seen) && Boolean(seen.serviceWorkerFetchStatus),
      leaves: ['service-worker/network'],
      says: 'served by a service worker; the origin answered its own fetch',
      isOutright: true,
    },
    {
      when: isFromNetwork,
      leaves: network,
      says: 'served by a service worker from the network; its own fetch was not observed',
    },
  ];
}
