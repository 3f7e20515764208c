import * as z from 'zod/mini';
import { unflagged } from '../run/flags.ts';
import { type DeviceRead, deviceReadSchema } from './device-read.ts';
import { cellKey, cellSchema } from '../run/sample.ts';
import { syscallSchema } from './syscall.ts';

/**
 * The steps of a read, in the order in which they begin. They partition the time of the read: the sum of their ms is
 * `durationMs`, as far as they are known.
 */
export const hitSteps = [
  /** From the page's request to the network service's URL_REQUEST: two processes, an IPC message, the loader. */
  'dispatch',
  /** HTTP_CACHE_GET_BACKEND: the wait for the start of the back end. */
  'backendWait',
  /** HTTP_CACHE_OPEN_OR_CREATE_ENTRY: the entry is looked up and opened. */
  'entryOpen',
  /** HTTP_CACHE_ADD_TO_ENTRY: the wait for the entry's lock. */
  'lockWait',
  /** HTTP_CACHE_READ_INFO: the stored response headers. */
  'headerRead',
  /** HTTP_CACHE_READ_DATA: the stored body. */
  'bodyRead',
  /** Decoding of the content coding, in the network service. */
  'decode',
  /** Network reads only: read of the dictionary in the profile (RFC 9842). */
  'dictionaryRead',
  /** Network reads only: HTTP_CACHE_WRITE_INFO and _DATA, the response is written to the cache. */
  'entryWrite',
  /** Network reads only: HTTP_STREAM_REQUEST and HTTP_TRANSACTION_*, minus the steps above. */
  'network',
  /** From the last byte in the network service until the page had the whole body. */
  'delivery',
  /** Time between these steps. */
  'rest',
] as const;
export type HitStep = (typeof hitSteps)[number];

/** Total time of a step. */
export const stepTimeSchema = z.object({
  /** null: unknown; 0 only when it took no time. */
  ms: z.nullable(z.number()),
  /** Why it is unknown, or a note about it; absent without either. */
  why: z.optional(z.string()),
  /** Body reads: their number. */
  count: z.optional(z.number()),
  /** Body reads: stored bytes that they returned. */
  bytes: z.optional(z.number()),
});
export type StepTime = z.infer<typeof stepTimeSchema>;

/** A part of a step on the timeline, ms since the page requested the resource. */
export const stepSpanSchema = z.object({
  step: z.enum(hitSteps),
  startMs: z.number(),
  endMs: z.number(),
});
export type StepSpan = z.infer<typeof stepSpanSchema>;

/** Problems of a traced read. A reader should not rely on a flagged read. */
const tracedFlags = [
  /** The page's fetch() failed. */
  'read-failed',
  /** The body's SHA-256 is not that of the resource. */
  'wrong-body',
  /** The network was used: not a cache hit. */
  'network-used',
  /** A first load that did not use the network. */
  'network-unused',
  /** The trace ends before the end of the read, because it was cut off. */
  'trace-cut-off',
  /** The trace does not contain the read. */
  'not-in-trace',
  /** The device's counters and the witness of the individual reads report different numbers of reads. */
  'device-reads-disagree',
  /** The page's clock and the trace differ by more than 10 % of the read (and 1 ms). */
  'clocks-disagree',
  /** A process of the browser, the harness, the storage or the machine did not run during the read. */
  'suspended',
] as const;
export type TracedFlag = (typeof tracedFlags)[number];

/** One traced read, excluded from the statistics: a line of traced.ndjson. */
export const tracedReadSchema = z.object({
  cell: cellSchema,
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** Number of the shard that took it, in a run merged from shards; absent otherwise. */
  shard: z.optional(z.number()),
  /** Absent: a cached read. `first load`: from the network, with its own URL; the dictionary is read again. */
  kind: z.optional(z.literal('first load')),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Chromium's disk cache back end as the trace shows it; null: the trace does not show it. */
  backEnd: z.nullable(z.enum(['simple', 'blockfile', 'sql'])),
  /**
   * When the page sent the request, µs of CLOCK_MONOTONIC; absent when the trace does not contain it, and in runs saved
   * before this field existed.
   */
  beginUs: z.optional(z.number()),
  /** Chromium's own trace of the read, gzipped, in the run's folder `traces`; absent: it was not saved. */
  traceFile: z.optional(z.string().check(z.regex(/^\d+\.json\.gz$/))),
  /** By the page's clock, like a sample's readMs. */
  readMs: z.number(),
  /** From the page's request to its last byte, by the trace's clock, ms; null when the trace does not contain both. */
  durationMs: z.nullable(z.number()),
  steps: z.record(z.enum(hitSteps), stepTimeSchema),
  /** The parts of the steps on the timeline, without `rest`; they do not overlap. */
  spans: z.array(stepSpanSchema),
  /** Sorted by start; null: no witness (`deviceReadsWhy`). */
  deviceReads: z.nullable(z.array(deviceReadSchema)),
  deviceWitness: z.nullable(z.enum(['block tracepoints', 'nbdkit log'])),
  /** Why there is no witness, or its limits; absent without either. */
  deviceReadsWhy: z.optional(z.string()),
  /**
   * Serial reads: length of the longest chain of the reads that were waited for, each issued after the one before
   * completed; null: unknown.
   */
  serialReads: z.nullable(z.number()),
  /** Read requests in the same time according to the device's counters; null: unknown. */
  countedReads: z.nullable(z.number()),
  /** System calls of the network service on files; null: not requested, or not available (`syscallsWhy`). */
  syscalls: z.nullable(z.array(syscallSchema)),
  syscallsWhy: z.optional(z.string()),
  /** Size of the trace in bytes, and its number of events. */
  traceBytes: z.number(),
  traceEvents: z.number(),
  flags: z.array(z.enum(tracedFlags)),
});
export type TracedRead = z.infer<typeof tracedReadSchema>;

/** File in a run's directory with the traced reads, one JSON text per line. */
export const tracedFile = 'traced.ndjson';

/** Folder in a run's directory with Chromium's traces of these reads. */
export const tracesFolder = 'traces';

/**
 * The device reads that the cached read waited for: those that completed before the last step in the network service
 * did.
 */
export function waitedReads(
  reads: readonly DeviceRead[],
  spans: readonly StepSpan[],
): DeviceRead[] {
  const served = spans.filter(({ step }) => step !== 'delivery').map(({ endMs }) => endMs);
  const untilMs = Math.max(0, ...served);
  return reads.filter(({ endMs }) => endMs <= untilMs);
}

/** Duration by the trace's clock; by the page's clock when the trace does not contain both ends, ms. */
export function wholeMs({ durationMs, readMs }: TracedRead): number {
  return durationMs ?? readMs;
}

/** Where a traced read of a merged run was taken: `m2, shard 3`; undefined in other runs. */
export function takenOn({
  machine,
  shard,
}: Pick<TracedRead, 'machine' | 'shard'>): string | undefined {
  if (machine === undefined) return undefined;
  return shard === undefined ? machine : `${machine}, shard ${shard}`;
}

/** A text that is equal for two traced reads exactly when their cell, kind and shard are equal. */
export function tracedKey({
  cell,
  kind,
  shard,
}: Pick<TracedRead, 'cell' | 'kind' | 'shard'>): string {
  const of = kind === undefined ? cellKey(cell) : `${cellKey(cell)} ${kind}`;
  return shard === undefined ? of : `${of} shard ${shard}`;
}

/** The traced reads of hits that may be used in calculations: those without a flag. */
export function usableTraces(traced: readonly TracedRead[]): TracedRead[] {
  return unflagged(traced).filter(({ kind }) => kind === undefined);
}
