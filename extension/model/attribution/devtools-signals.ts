import { isAborted, isUnsent, mayHaveBody } from './failure.ts';
import { read, type Reading, type Rule } from './reading.ts';
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
  {
    when: ({ status }) => redirects.has(status),
    leaves: null,
    says: 'the entry describes a redirect; the target has an entry of its own',
  },
  {
    when: ({ error }) => isUnsent(error),
    leaves: ['blocked'],
    says: '_error: the request was not sent',
    isOutright: true,
  },
  {
    when: ({ error, status }) => error !== undefined && (status === 0 || !mayHaveCome(error)),
    leaves: ['failed'],
    says: '_error: there is no response',
    isOutright: true,
  },
  {
    when: ({ fromCache }) => fromCache === 'memory',
    // DevTools reports this for data: URLs too.
    leaves: ['memory', 'data'],
    says: '_fromCache is memory',
    isOutright: true,
  },
  ...workerRules<HarEvidence>(({ fetchedViaServiceWorker }) => fetchedViaServiceWorker),
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
    when: ({ status }) => status === 101,
    leaves: ['network'],
    says: 'a WebSocket was opened',
    isOutright: true,
  },
  {
    when: ({ status, transferSize }) => status === 206 && Boolean(transferSize),
    leaves: ['network', 'mixed'],
    says: 'a part of the body is from the network',
  },
  {
    when: isRaceWonByNetwork,
    leaves: ['network', 'revalidated/http-cache'],
    says: 'the network won the race against the service worker',
  },
  {
    when: ({ isShort }) => isShort === true,
    leaves: [
      'network',
      'prefetch/speculation',
      'revalidated/http-cache',
      'revalidated/memory-cache',
    ],
    says: 'DevTools names no cache, and only headers were transferred: a small encoded body, or a 304',
  },
  {
    when: ({ transferSize }) => transferSize !== null && transferSize > 0,
    leaves: ['network', 'prefetch/speculation'],
    says: 'DevTools names no cache',
  },
];
