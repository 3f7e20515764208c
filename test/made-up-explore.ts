import type { ExploreRun, ExploreRunDocument } from '@cachescope/model/explore-run.ts';
import type { Load, Resource } from '@cachescope/model/load.ts';
import { madeUpRun } from './made-up-run.ts';

const startedAt = '2026-11-20T23:00:00.000Z';

/** One use of a URL that a page saw come from the disk cache (`disk`), the network, or without Timing-Allow-Origin. */
export function madeUpUse(url: string, source: 'disk' | 'network' | 'hidden' = 'disk'): Resource {
  const isHit = source === 'disk';
  const told = {
    deliveryType: isHit ? 'cache' : '',
    transferSize: isHit ? 0 : 1300,
    encodedBodySize: 1000,
    decodedBodySize: 4000,
    responseStatus: 200,
    firstInterimResponseStart: isHit ? 14 : 0,
    finalResponseHeadersStart: isHit ? 0 : 14,
    responseStart: 14,
  };
  const hidden = { deliveryType: '', transferSize: 0, encodedBodySize: 0, responseStart: 0 };
  return {
    sequence: 0,
    url,
    method: 'GET',
    status: source === 'hidden' ? null : 200,
    type: 'script',
    mimeType: 'text/javascript',
    initiatorType: 'script',
    context: 'document',
    coding: 'br',
    startMs: 10,
    durationMs: 5,
    responseStartMs: 14,
    transferredBytes: null,
    encodedBytes: 1000,
    decodedBytes: 4000,
    storedBytes: null,
    isPreload: false,
    evidence: {
      page: { timing: { startTime: 10, duration: 5, ...(source === 'hidden' ? hidden : told) } },
    },
  };
}

/** A load that began so many seconds after the run, with the given uses. */
export function madeUpExploreLoad(id: string, afterS: number, uses: readonly Resource[]): Load {
  return {
    schemaVersion: 1,
    id,
    url: 'http://127.0.0.1:8080/',
    startedAt: new Date(Date.parse(startedAt) + afterS * 1000).toISOString(),
    navigationType: 'navigate',
    depths: ['page'],
    domContentLoadedMs: 40,
    loadMs: 90,
    resources: uses.map((use, sequence) => ({ ...use, sequence })),
    warnings: [],
  };
}

/** An exploration of two loads; between them the delay was changed from 5 to 20 ms, from second 10 to 13. Not measured. */
export function madeUpExplore(): ExploreRunDocument {
  const { environment, tool } = madeUpRun(1).run;
  const run: ExploreRun = {
    schemaVersion: 1,
    tool,
    experiment: 'explore',
    status: 'complete',
    startedAt,
    endedAt: '2026-11-20T23:05:00.000Z',
    commandLine: ['explore'],
    environment,
    proofs: [],
    warnings: [],
    plan: {
      storage: 'nbd-delay',
      delayWrites: false,
      delayMs: 5,
      url: 'http://127.0.0.1:8080/',
      workloads: ['pdfjs'],
    },
    actions: [
      {
        kind: 'delay',
        startedAt: '2026-11-20T23:00:10.000Z',
        endedAt: '2026-11-20T23:00:13.000Z',
        delayMs: 20,
      },
    ],
  };
  const script = 'http://127.0.0.1:8080/a.js';
  const loads = [
    madeUpExploreLoad('first', 1, [madeUpUse(script, 'network')]),
    madeUpExploreLoad('second', 20, [
      madeUpUse(script),
      madeUpUse('http://other.example/b.js', 'hidden'),
    ]),
  ];
  return { run, loads };
}
