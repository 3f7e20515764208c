import { TimeHistogram } from './reclaim-histogram.ts';
import type { ReclaimMoment } from './reclaim-moment.ts';
import type { ReclaimPlan } from './reclaim-plan.ts';
import type { ReclaimRun } from './reclaim-run.ts';
import type { LoadWindow, ReclaimWindow } from './reclaim-window.ts';

/** A plan for tests. */
export function madeUpReclaimPlan(changes: Partial<ReclaimPlan> = {}): ReclaimPlan {
  return {
    system: 'origin',
    rateHz: 100,
    timeMs: 60_000,
    traffic: { kind: 'cache-bust' },
    payloadBytes: 1024,
    coding: 'identity',
    originDelayMs: 0,
    limitEntries: 1000,
    limitBytes: 1024 ** 3,
    reclaimRatio: 0.3,
    policy: 'lrw',
    browser: null,
    windowMs: 1000,
    margin: 0.1,
    seed: 42,
    ...changes,
  };
}

/** A histogram of these times, ms. */
export function madeUpHistogram(times: readonly number[]) {
  const histogram = new TimeHistogram();
  for (const time of times) histogram.add(time);
  return histogram.saved();
}

/** A second of a load of 100 requests that all succeed, for tests. Not measured. */
export function madeUpLoadWindow(second: number, latencyMs: number): LoadWindow {
  const latency = madeUpHistogram(
    Array.from({ length: 100 }, (_, index) => latencyMs * (1 + index / 100)),
  );
  return {
    due: 100,
    sent: 100,
    dropped: 0,
    answered: 100,
    failed: 0,
    succeeded: 100,
    hits: 0,
    bytesIn: 102_400,
    statuses: { 200: 100 },
    errors: {},
    inFlight: 0,
    firstSentMs: second * 1000,
    lastSentMs: second * 1000 + 990,
    lastEndMs: second * 1000 + 990 + 2 * latencyMs,
    latency,
    service: latency,
    lateness: madeUpHistogram(Array.from({ length: 100 }, () => 0.1)),
    generatorBusy: 0.1,
  };
}

/** What a made-up window may say of the system. */
export interface MadeUpSystem {
  latencyMs?: number;
  entries?: number | null;
  bytes?: number | null;
  memoryBytes?: number | null;
}

/** The second that begins at `second`, for tests. Not measured. */
export function madeUpReclaimWindow(second: number, system: MadeUpSystem = {}): ReclaimWindow {
  const { latencyMs = 1, entries = 500, bytes = 512_000, memoryBytes = 100e6 } = system;
  return {
    kind: 'window',
    sequence: second,
    atMs: (second + 1) * 1000,
    spanMs: 1000,
    load: madeUpLoadWindow(second, latencyMs),
    system: {
      entries,
      bytes,
      mostEntries: entries,
      mostBytes: bytes,
      overLimitMs: null,
      processes: [
        { type: 'origin', processes: 1, pssBytes: memoryBytes, openFiles: 20 },
        { type: 'harness', processes: 1, pssBytes: second * 1e9, openFiles: 20 },
      ],
      threads: [
        {
          type: 'origin',
          thread: 'node-MainThread',
          threads: 1,
          userMs: 200,
          systemMs: 50,
          waitingMs: 1,
          states: { S: 1 },
        },
      ],
      device: null,
      eventLoop: { p50Ms: 0.1, p99Ms: 1, maxMs: 2, busy: 0.25 },
    },
  };
}

/** A reclaim of 300 of 1,000 entries, for tests. */
export function madeUpMoment(atMs: number, changes: Partial<ReclaimMoment> = {}): ReclaimMoment {
  return {
    kind: 'reclaim',
    sequence: 10_000 + atMs,
    atMs,
    durationMs: 2,
    how: 'told',
    cause: 'entries',
    before: { entries: 1000, bytes: 1_024_000 },
    after: { entries: 700, bytes: 716_800 },
    evicted: 300,
    evictedBytes: 307_200,
    byWrite: 1,
    byUse: 1,
    bySize: 0.5,
    byUseAndSize: 1,
    examples: [],
    ...changes,
  };
}

/** A complete run for tests. Not measured. */
export function madeUpReclaimRun(changes: Partial<ReclaimPlan> = {}): ReclaimRun {
  return {
    schemaVersion: 1,
    tool: { name: 'cachescope', version: '0.1.0' },
    experiment: 'reclaim',
    status: 'complete',
    startedAt: '2026-11-20T23:00:00Z',
    commandLine: ['reclaim'],
    environment: {
      chromium: { version: 'not used', path: '', flags: [] },
      node: 'v26.10.0',
      kernel: '6.1.0',
      os: 'Debian 12',
      cpu: 'made up',
      cores: 2,
      memoryBytes: 8 * 1024 ** 3,
      storage: 'memory of the origin',
      timerStepMs: null,
    },
    proofs: [],
    warnings: [],
    plan: madeUpReclaimPlan(changes),
  };
}
