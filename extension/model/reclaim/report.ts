import { greatest, knownSum, least } from '../extremes.ts';
import { mergedHistogram, meanMs, quantileMs, type SavedHistogram } from './histogram.ts';
import type { LoadWindow } from './window.ts';

/** Latencies under the names of vegeta's report, ms; null without any answer. */
export type Latencies = Record<'mean' | 'p50' | 'p95' | 'p99' | 'max', number | null>;

/**
 * A load under the names of vegeta's report (github.com/tsenart/vegeta, README, `report`), with the send delay and the drops
 * of an open loop. Times in ms.
 */
export interface LoadReport {
  /** Requests sent. */
  requests: number;
  /** Requests sent per second, over `attackMs`; null with fewer than two. */
  rateHz: number | null;
  /** Successful answers per second, over `totalMs`; null when that is 0. */
  throughputHz: number | null;
  /** From the first request sent to the end of the last answer. */
  totalMs: number;
  /** From the first request sent to the last one sent. */
  attackMs: number;
  /** From the last request sent to the end of the last answer. */
  waitMs: number;
  /** From the time at which a request was due. */
  latencies: Latencies;
  /** From the time at which a request was sent, as vegeta counts. */
  service: Latencies;
  /** Bytes of bodies on the wire; null: unknown. */
  bytesIn: number | null;
  /** Share of the ended requests with a correct answer, 0 to 1; null when none has ended. */
  success: number | null;
  /** Requests in flight at the end of the last window: 0 in a complete run. */
  inFlight: number;
  /** Answers by status code; `0`: requests without an answer. */
  statuses: Record<string, number>;
  errors: Record<string, number>;
  /** Requests that were due. */
  due: number;
  /** Due and not sent, because too many were in flight. */
  dropped: number;
  /** Share of the planned requests that were sent, 0 to 1. */
  achieved: number;
  /** Send delay: sent minus due. */
  lateness: Latencies;
  /** Hit rate, 0 to 1; null: unknown. */
  hitRate: number | null;
  /**
   * What kept the load below the requested rate: the generator, which sent late or too little, or the system, which had too
   * many requests in flight. null: the rate was reached.
   */
  limitedBy: 'generator' | 'system' | null;
}

/** The generator keeps pace when it sends at least this share of the planned requests with at most this median delay. */
export const leastAchieved = 0.999;
export const mostMedianLatenessMs = 1;

/**
 * The report over all windows. `planned`: requests of the plan; `stopped`: the run was ended early; `timed`: the windows
 * whose latencies count, all by default.
 */
export function loadReport(
  windows: readonly LoadWindow[],
  planned: number,
  { stopped = false, timed = windows }: { stopped?: boolean; timed?: readonly LoadWindow[] } = {},
): LoadReport {
  const total = (name: 'due' | 'sent' | 'dropped' | 'answered' | 'failed' | 'succeeded') =>
    windows.reduce((sum, window) => sum + window[name], 0);
  const known = (name: 'hits' | 'bytesIn') => knownSum(windows.map((window) => window[name]));
  const latencies = (name: 'latency' | 'service' | 'lateness') =>
    latenciesOf(mergedHistogram(timed.map((window) => window[name])));
  const [requests, due, dropped] = [total('sent'), total('due'), total('dropped')];
  const [answered, failed, succeeded] = [total('answered'), total('failed'), total('succeeded')];
  const span = spanOf(windows);
  const lateness = latencies('lateness');
  const hits = known('hits');
  const statuses = countsOf(windows.map((window) => window.statuses));
  // A run that was stopped is judged by what was due until then.
  const achieved = requests / Math.max(1, stopped ? due : planned);
  return {
    requests,
    rateHz: span.attackMs > 0 ? (requests / span.attackMs) * 1000 : null,
    throughputHz: span.totalMs > 0 ? (succeeded / span.totalMs) * 1000 : null,
    ...span,
    latencies: latencies('latency'),
    service: latencies('service'),
    bytesIn: known('bytesIn'),
    success: answered + failed > 0 ? succeeded / (answered + failed) : null,
    inFlight: windows.at(-1)?.inFlight ?? 0,
    statuses: failed > 0 ? { 0: failed, ...statuses } : statuses,
    errors: countsOf(windows.map(({ errors }) => errors)),
    due,
    dropped,
    achieved,
    lateness,
    hitRate: hits === null || answered === 0 ? null : hits / answered,
    limitedBy: limitedBy(achieved, dropped, lateness),
  };
}

function limitedBy(achieved: number, dropped: number, { p50 }: Latencies): LoadReport['limitedBy'] {
  // A generator that is itself late cannot measure the limit of the system.
  if ((p50 ?? 0) >= mostMedianLatenessMs) return 'generator';
  if (dropped > 0) return 'system';
  return achieved < leastAchieved ? 'generator' : null;
}

/** vegeta's three durations. */
function spanOf(windows: readonly LoadWindow[]) {
  const known = (name: 'firstSentMs' | 'lastSentMs' | 'lastEndMs') =>
    windows.map((window) => window[name]).filter((time) => time !== null);
  const first = least(known('firstSentMs'));
  const last = greatest(known('lastSentMs'));
  const end = Math.max(last, greatest(known('lastEndMs')));
  if (!Number.isFinite(first)) return { totalMs: 0, attackMs: 0, waitMs: 0 };
  return { totalMs: end - first, attackMs: last - first, waitMs: end - last };
}

/** The latencies of a histogram. */
function latenciesOf(histogram: SavedHistogram): Latencies {
  return {
    mean: meanMs(histogram),
    p50: quantileMs(histogram, 0.5),
    p95: quantileMs(histogram, 0.95),
    p99: quantileMs(histogram, 0.99),
    max: histogram.maxMs,
  };
}

function countsOf(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all)
    for (const [name, number] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + number;
  return sums;
}
