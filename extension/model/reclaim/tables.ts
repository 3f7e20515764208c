import { knownSum } from '../extremes.ts';
import { type Column, type Form, type Table, tableOf } from '../page/table.ts';
import type { EvictedEntry, EvictionPass } from './eviction-pass.ts';
import { bucketCounts, bucketRangeUs, mergedHistogram, quantileMs } from './histogram.ts';
import { type PublishedLoad, publishedLoads } from './history.ts';
import type { Latencies, LoadReport } from './report.ts';
import { cpuMs, ofSystem, systemMemory } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

/** Where a table is only a CSV file. */
const nowhere: readonly Form[] = ['csv'];

interface LoadRow {
  name: string;
  /** null: the row is about latencies only. */
  load: Omit<PublishedLoad, 'title' | 'latencies'> | null;
  latencies: Latencies;
}

/** The load, the same from the actual send time, and the loads of BBC's Belfrage cache-limit report (2020). */
export function loadTable(report: LoadReport): Table {
  const ofLoad = (of: (load: NonNullable<LoadRow['load']>) => number | null) => (row: LoadRow) =>
    row.load && of(row.load);
  const latency = (title: string, key: keyof Latencies): Column<LoadRow> => ({
    key: `latency_${key}_ms`,
    title,
    value: ({ latencies }) => latencies[key],
    unit: 'ms',
  });
  return tableOf<LoadRow>({
    columns: [
      { key: 'load', title: 'Load', value: ({ name }) => name, kind: 'name' },
      { key: 'requests', title: 'Requests', value: ofLoad((load) => load.requests), unit: 'count' },
      { key: 'rate_hz', title: 'Rate', value: ofLoad((load) => load.rateHz) },
      { key: 'throughput_hz', title: 'Throughput', value: ofLoad((load) => load.throughputHz) },
      { key: 'total_ms', title: 'Duration', value: ofLoad((load) => load.totalMs), unit: 's' },
      latency('Mean', 'mean'),
      latency('50 %', 'p50'),
      latency('95 %', 'p95'),
      latency('99 %', 'p99'),
      latency('Max', 'max'),
      {
        key: 'received_bytes',
        title: 'Bytes in',
        value: ofLoad((load) => load.bytesIn),
        unit: 'B',
      },
      {
        key: 'success_share',
        title: 'Success',
        value: ofLoad((load) => load.success),
        unit: 'share',
      },
    ],
    rows: [
      { name: 'from scheduled send time', load: report, latencies: report.latencies },
      { name: 'from actual send time', load: report, latencies: report.service },
      { name: 'send delay', load: null, latencies: report.lateness },
      ...publishedLoads.map((load) => {
        return { name: `${load.title}, published`, load, latencies: load.latencies };
      }),
    ],
    group: () => ({
      title: 'The load',
      caption:
        'Rates are per second. Published rows are from BBC’s Belfrage cache-limit report (2020): another cache, on other machines.',
    }),
    in: ['html'],
  });
}

/** Every window. Memory, processor time and open files are those of the system under load, without the harness. */
export function windowTable(windows: readonly ReclaimWindow[]): Table {
  const ofLoad = (key: string, of: (load: ReclaimWindow['load']) => number | null) => ({
    key,
    value: ({ load }: ReclaimWindow) => of(load),
  });
  const ofDevice = (key: string, field: 'reads' | 'readBytes' | 'writes' | 'writtenBytes') => ({
    key,
    value: ({ system }: ReclaimWindow) => system.device?.[field],
  });
  return tableOf<ReclaimWindow>({
    columns: [
      { key: 'at_ms', value: ({ atMs }) => atMs },
      { key: 'span_ms', value: ({ spanMs }) => spanMs },
      ofLoad('due', ({ due }) => due),
      ofLoad('sent', ({ sent }) => sent),
      ofLoad('dropped', ({ dropped }) => dropped),
      ofLoad('answered', ({ answered }) => answered),
      ofLoad('failed', ({ failed }) => failed),
      ofLoad('succeeded', ({ succeeded }) => succeeded),
      ofLoad('hits', ({ hits }) => hits),
      ofLoad('received_bytes', ({ bytesIn }) => bytesIn),
      ofLoad('in_flight', ({ inFlight }) => inFlight),
      ofLoad('latency_p50_ms', ({ latency }) => quantileMs(latency, 0.5)),
      ofLoad('latency_p95_ms', ({ latency }) => quantileMs(latency, 0.95)),
      ofLoad('latency_p99_ms', ({ latency }) => quantileMs(latency, 0.99)),
      ofLoad('latency_max_ms', ({ latency }) => latency.maxMs),
      ofLoad('send_delay_p50_ms', ({ lateness }) => quantileMs(lateness, 0.5)),
      ofLoad('send_delay_max_ms', ({ lateness }) => lateness.maxMs),
      { key: 'entries', value: ({ system }) => system.entries },
      { key: 'stored_bytes', value: ({ system }) => system.bytes },
      { key: 'memory_bytes', value: systemMemory },
      { key: 'cpu_ms', value: ({ system }) => cpuMs(ofSystem(system.threads)) },
      {
        key: 'open_files',
        value: ({ system }) =>
          knownSum(ofSystem(system.processes).map(({ openFiles }) => openFiles)),
      },
      ofDevice('device_reads', 'reads'),
      ofDevice('device_read_bytes', 'readBytes'),
      ofDevice('device_writes', 'writes'),
      ofDevice('device_written_bytes', 'writtenBytes'),
      { key: 'event_loop_p99_ms', value: ({ system }) => system.eventLoop?.p99Ms },
      { key: 'event_loop_max_ms', value: ({ system }) => system.eventLoop?.maxMs },
      { key: 'suspended', value: ({ suspended }) => suspended === true },
    ],
    rows: windows,
    group: () => ({ title: 'Windows' }),
    file: 'windows.csv',
    in: nowhere,
  });
}

/** Every eviction pass, or several passes in one row: `times` is their number. */
export function passTable(passes: readonly EvictionPass[]): Table {
  const order = (key: string, of: (pass: EvictionPass) => number | null) => ({ key, value: of });
  return tableOf<EvictionPass>({
    columns: [
      { key: 'at_ms', value: ({ atMs }) => atMs },
      { key: 'duration_ms', value: ({ durationMs }) => durationMs },
      { key: 'how', value: ({ how }) => how },
      { key: 'cause', value: ({ cause }) => cause },
      { key: 'before_entries', value: ({ before }) => before.entries },
      { key: 'after_entries', value: ({ after }) => after.entries },
      { key: 'before_bytes', value: ({ before }) => before.bytes },
      { key: 'after_bytes', value: ({ after }) => after.bytes },
      { key: 'evicted', value: ({ evicted }) => evicted },
      { key: 'evicted_bytes', value: ({ evictedBytes }) => evictedBytes },
      order('by_write_share', ({ byWrite }) => byWrite),
      order('by_use_share', ({ byUse }) => byUse),
      order('by_size_share', ({ bySize }) => bySize),
      order('by_use_and_size_share', ({ byUseAndSize }) => byUseAndSize),
      { key: 'times', value: ({ times }) => times ?? 1 },
      { key: 'longest_ms', value: ({ longestMs, durationMs }) => longestMs ?? durationMs },
    ],
    rows: passes,
    group: () => ({ title: 'Eviction passes' }),
    file: 'reclaims.csv',
    in: nowhere,
  });
}

interface Bucket {
  quantity: string;
  fromMs: number;
  toMs: number;
  count: number;
  cumulativeShare: number;
}

/** The buckets of the histograms that are not empty, with the cumulative share of the requests. */
export function histogramTable(windows: readonly ReclaimWindow[]): Table {
  const bucketsOf = (quantity: 'latency' | 'service' | 'lateness'): Bucket[] => {
    const histogram = mergedHistogram(windows.map(({ load }) => load[quantity]));
    let seen = 0;
    return [...bucketCounts(histogram)].map(([bucket, count]) => {
      const { first, last } = bucketRangeUs(bucket);
      seen += count;
      const range = { fromMs: first / 1000, toMs: (last + 1) / 1000 };
      return { quantity, ...range, count, cumulativeShare: seen / histogram.count };
    });
  };
  return tableOf<Bucket>({
    columns: [
      { key: 'quantity', value: ({ quantity }) => quantity },
      { key: 'from_ms', value: ({ fromMs }) => fromMs },
      { key: 'to_ms', value: ({ toMs }) => toMs },
      { key: 'requests', value: ({ count }) => count },
      { key: 'cumulative_share', value: ({ cumulativeShare }) => cumulativeShare },
    ],
    rows: (form) =>
      form === 'csv' ? (['latency', 'service', 'lateness'] as const).flatMap(bucketsOf) : [],
    group: () => ({ title: 'Histogram' }),
    file: 'histogram.csv',
    in: nowhere,
  });
}

/** A sample of the entries evicted in the last eviction pass. */
export function evictedTable(entries: readonly EvictedEntry[]): Table {
  return tableOf<EvictedEntry>({
    columns: [
      { key: 'key', title: 'Key', value: ({ key }) => key, kind: 'name' },
      { key: 'stored_bytes', title: 'Size', value: ({ bytes }) => bytes, unit: 'B' },
      { key: 'age_ms', title: 'Written before', value: ({ ageMs }) => ageMs, unit: 's' },
      { key: 'idle_ms', title: 'Last used before', value: ({ idleMs }) => idleMs, unit: 's' },
      { key: 'uses', title: 'Times read', value: ({ uses }) => uses, unit: 'count' },
    ],
    rows: entries,
    group: () => ({
      title: 'Evicted entries',
      caption:
        'A sample of the entries evicted in the last eviction pass, evenly over their order.',
    }),
    in: ['html'],
  });
}
