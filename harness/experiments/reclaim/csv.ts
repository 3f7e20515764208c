import { type CsvCell, type CsvColumns, csvOf, csvText } from '@cachescope/model/csv.ts';
import {
  bucketRangeUs,
  mergedHistogram,
  quantileMs,
  type SavedHistogram,
} from '@cachescope/model/reclaim/histogram.ts';
import { systemMemory } from '@cachescope/model/reclaim/memory-claim.ts';
import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import type { ReclaimWindow } from '@cachescope/model/reclaim/window.ts';

const isOwn = ({ type }: { type: string }) => type !== 'harness';

const windowColumns: CsvColumns<ReclaimWindow> = {
  atMs: ({ atMs }) => atMs.toFixed(3),
  spanMs: ({ spanMs }) => spanMs.toFixed(3),
  due: ({ load }) => load.due,
  sent: ({ load }) => load.sent,
  dropped: ({ load }) => load.dropped,
  answered: ({ load }) => load.answered,
  failed: ({ load }) => load.failed,
  succeeded: ({ load }) => load.succeeded,
  hits: ({ load }) => load.hits,
  bytesIn: ({ load }) => load.bytesIn,
  inFlight: ({ load }) => load.inFlight,
  latencyMs_p50: ({ load }) => quantileMs(load.latency, 0.5),
  latencyMs_p95: ({ load }) => quantileMs(load.latency, 0.95),
  latencyMs_p99: ({ load }) => quantileMs(load.latency, 0.99),
  latencyMs_max: ({ load }) => load.latency.maxMs,
  latenessMs_p50: ({ load }) => quantileMs(load.lateness, 0.5),
  latenessMs_max: ({ load }) => load.lateness.maxMs,
  entries: ({ system }) => system.entries,
  bytes: ({ system }) => system.bytes,
  memoryBytes: systemMemory,
  cpuMs: ({ system }) =>
    system.threads.filter(isOwn).reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0),
  openFiles({ system }) {
    const files = system.processes.filter(isOwn).map(({ openFiles }) => openFiles);
    return files.every((each) => each !== null) ? files.reduce((sum, each) => sum + each, 0) : null;
  },
  deviceReads: ({ system }) => system.device?.reads,
  deviceReadBytes: ({ system }) => system.device?.readBytes,
  deviceWrites: ({ system }) => system.device?.writes,
  deviceWrittenBytes: ({ system }) => system.device?.writtenBytes,
  eventLoopMs_p99: ({ system }) => system.eventLoop?.p99Ms,
  eventLoopMs_max: ({ system }) => system.eventLoop?.maxMs,
};

/**
 * One row per window. Memory, processor time and open files are those of the system under load, without the harness.
 */
export function windowsCsv(windows: readonly ReclaimWindow[]): string {
  return csvOf(windowColumns, windows, { lineEnd: '\r\n' });
}

const passColumns: CsvColumns<EvictionPass> = {
  atMs: ({ atMs }) => atMs.toFixed(3),
  durationMs: ({ durationMs }) => durationMs,
  how: ({ how }) => how,
  cause: ({ cause }) => cause,
  entriesBefore: ({ before }) => before.entries,
  entriesAfter: ({ after }) => after.entries,
  bytesBefore: ({ before }) => before.bytes,
  bytesAfter: ({ after }) => after.bytes,
  evicted: ({ evicted }) => evicted,
  evictedBytes: ({ evictedBytes }) => evictedBytes,
  byWrite: ({ byWrite }) => byWrite,
  byUse: ({ byUse }) => byUse,
  bySize: ({ bySize }) => bySize,
  byUseAndSize: ({ byUseAndSize }) => byUseAndSize,
  times: ({ times }) => times ?? 1,
  longestMs: ({ longestMs, durationMs }) => longestMs ?? durationMs,
};

/** One row per eviction pass, or for several passes together: `times` is their number. */
export function reclaimsCsv(passes: readonly EvictionPass[]): string {
  return csvOf(passColumns, passes, { lineEnd: '\r\n' });
}

/**
 * One row per non-empty bucket: the quantity, the bounds in ms, the count, and the cumulative share of the requests.
 */
export function histogramCsv(windows: readonly ReclaimWindow[]): string {
  const rows = (['latency', 'service', 'lateness'] as const).flatMap((name) =>
    histogramRows(name, mergedHistogram(windows.map(({ load }) => load[name]))),
  );
  return csvText(['what', 'fromMs', 'toMs', 'count', 'cumulativeShare'], rows, '\r\n');
}

function histogramRows(name: string, { buckets, count }: SavedHistogram): CsvCell[][] {
  const rows: CsvCell[][] = [];
  let seen = 0;
  for (let index = 0; index + 1 < buckets.length; index += 2) {
    const { first, last } = bucketRangeUs(buckets[index] ?? 0);
    const inBucket = buckets[index + 1] ?? 0;
    seen += inBucket;
    rows.push([name, first / 1000, (last + 1) / 1000, inBucket, seen / count]);
  }
  return rows;
}
