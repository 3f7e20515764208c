import { type CsvCell, type CsvColumns, csvOf, csvText } from '@cachescope/model/csv.ts';
import { knownSum } from '@cachescope/model/extremes.ts';
import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import {
  bucketCounts,
  bucketRangeUs,
  mergedHistogram,
  quantileMs,
} from '@cachescope/model/reclaim/histogram.ts';
import { cpuMs, ofSystem, systemMemory } from '@cachescope/model/reclaim/usage.ts';
import type { LoadWindow, ReclaimWindow, SystemWindow } from '@cachescope/model/reclaim/window.ts';

/** Columns with the names and the values of fields. */
function fields<Name extends string>(...names: Name[]): CsvColumns<Record<Name, CsvCell>> {
  return Object.fromEntries(names.map((name) => [name, (row: Record<Name, CsvCell>) => row[name]]));
}

const windowColumns: CsvColumns<ReclaimWindow & LoadWindow & SystemWindow> = {
  atMs: ({ atMs }) => atMs.toFixed(3),
  spanMs: ({ spanMs }) => spanMs.toFixed(3),
  ...fields('due', 'sent', 'dropped', 'answered', 'failed', 'succeeded', 'hits', 'bytesIn'),
  ...fields('inFlight'),
  latencyMs_p50: ({ latency }) => quantileMs(latency, 0.5),
  latencyMs_p95: ({ latency }) => quantileMs(latency, 0.95),
  latencyMs_p99: ({ latency }) => quantileMs(latency, 0.99),
  latencyMs_max: ({ latency }) => latency.maxMs,
  latenessMs_p50: ({ lateness }) => quantileMs(lateness, 0.5),
  latenessMs_max: ({ lateness }) => lateness.maxMs,
  ...fields('entries', 'bytes'),
  memoryBytes: systemMemory,
  cpuMs: ({ threads }) => cpuMs(ofSystem(threads)),
  openFiles: ({ processes }) => knownSum(ofSystem(processes).map(({ openFiles }) => openFiles)),
  deviceReads: ({ device }) => device?.reads,
  deviceReadBytes: ({ device }) => device?.readBytes,
  deviceWrites: ({ device }) => device?.writes,
  deviceWrittenBytes: ({ device }) => device?.writtenBytes,
  eventLoopMs_p99: ({ eventLoop }) => eventLoop?.p99Ms,
  eventLoopMs_max: ({ eventLoop }) => eventLoop?.maxMs,
  suspended: ({ suspended }) => suspended === true,
};

/**
 * One row per window. Memory, processor time and open files are those of the system under load, without the harness.
 */
export function windowsCsv(windows: readonly ReclaimWindow[]): string {
  const rows = windows.map((window) => ({ ...window.load, ...window.system, ...window }));
  return csvOf(windowColumns, rows, { lineEnd: '\r\n' });
}

const passColumns: CsvColumns<EvictionPass> = {
  atMs: ({ atMs }) => atMs.toFixed(3),
  ...fields('durationMs', 'how', 'cause'),
  entriesBefore: ({ before }) => before.entries,
  entriesAfter: ({ after }) => after.entries,
  bytesBefore: ({ before }) => before.bytes,
  bytesAfter: ({ after }) => after.bytes,
  ...fields('evicted', 'evictedBytes', 'byWrite', 'byUse', 'bySize', 'byUseAndSize'),
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
  const rows = (['latency', 'service', 'lateness'] as const).flatMap((name) => {
    const histogram = mergedHistogram(windows.map(({ load }) => load[name]));
    let seen = 0;
    return [...bucketCounts(histogram)].map(([bucket, count]): CsvCell[] => {
      const { first, last } = bucketRangeUs(bucket);
      seen += count;
      return [name, first / 1000, (last + 1) / 1000, count, seen / histogram.count];
    });
  });
  return csvText(['what', 'fromMs', 'toMs', 'count', 'cumulativeShare'], rows, '\r\n');
}
