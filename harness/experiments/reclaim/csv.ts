import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import {
  bucketRangeUs,
  mergedHistogram,
  quantileMs,
  type SavedHistogram,
} from '@cachescope/model/reclaim/histogram.ts';
import { systemMemory } from '@cachescope/model/reclaim/memory-claim.ts';
import type { ReclaimMoment } from '@cachescope/model/reclaim/moment.ts';
import type { ReclaimWindow } from '@cachescope/model/reclaim/window.ts';

const windowHeader = [
  'atMs',
  'spanMs',
  'due',
  'sent',
  'dropped',
  'answered',
  'failed',
  'succeeded',
  'hits',
  'bytesIn',
  'inFlight',
  'latencyMs_p50',
  'latencyMs_p95',
  'latencyMs_p99',
  'latencyMs_max',
  'latenessMs_p50',
  'latenessMs_max',
  'entries',
  'bytes',
  'memoryBytes',
  'cpuMs',
  'openFiles',
  'deviceReads',
  'deviceReadBytes',
  'deviceWrites',
  'deviceWrittenBytes',
  'eventLoopMs_p99',
  'eventLoopMs_max',
];

/**
 * One row per window. Memory, processor time and open files are those of the system under load, without the harness.
 */
export function windowsCsv(windows: readonly ReclaimWindow[]): string {
  return csvText(windowHeader, windows.map(windowCells), '\r\n');
}

function windowCells(window: ReclaimWindow): CsvCell[] {
  const { atMs, spanMs, load, system } = window;
  const { device, eventLoop } = system;
  const own = <Item extends { type: string }>(items: readonly Item[]) =>
    items.filter(({ type }) => type !== 'harness');
  const files = own(system.processes).map(({ openFiles }) => openFiles);
  return [
    atMs.toFixed(3),
    spanMs.toFixed(3),
    load.due,
    load.sent,
    load.dropped,
    load.answered,
    load.failed,
    load.succeeded,
    load.hits,
    load.bytesIn,
    load.inFlight,
    ...[0.5, 0.95, 0.99].map((p) => quantileMs(load.latency, p)),
    load.latency.maxMs,
    quantileMs(load.lateness, 0.5),
    load.lateness.maxMs,
    system.entries,
    system.bytes,
    systemMemory(window),
    own(system.threads).reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0),
    files.every((each) => each !== null) ? files.reduce((sum, each) => sum + each, 0) : null,
    device?.reads ?? null,
    device?.readBytes ?? null,
    device?.writes ?? null,
    device?.writtenBytes ?? null,
    eventLoop?.p99Ms ?? null,
    eventLoop?.maxMs ?? null,
  ];
}

const momentHeader = [
  'atMs',
  'durationMs',
  'how',
  'cause',
  'entriesBefore',
  'entriesAfter',
  'bytesBefore',
  'bytesAfter',
  'evicted',
  'evictedBytes',
  'byWrite',
  'byUse',
  'bySize',
  'byUseAndSize',
  'times',
  'longestMs',
];

/** One row per eviction pass, or for several passes together: `times` is their number. */
export function reclaimsCsv(moments: readonly ReclaimMoment[]): string {
  return csvText(
    momentHeader,
    moments.map((moment) => [
      moment.atMs.toFixed(3),
      moment.durationMs,
      moment.how,
      moment.cause,
      moment.before.entries,
      moment.after.entries,
      moment.before.bytes,
      moment.after.bytes,
      moment.evicted,
      moment.evictedBytes,
      moment.byWrite,
      moment.byUse,
      moment.bySize,
      moment.byUseAndSize,
      moment.times ?? 1,
      moment.longestMs ?? moment.durationMs,
    ]),
    '\r\n',
  );
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
