import * as z from 'zod/mini';
import { type DeviceRead, deviceReadSchema } from './device-read.ts';
import { cellKey, cellSchema } from '../run/sample.ts';
import { syscallSchema } from './syscall.ts';

/**
 * The steps of a read, in the order in which they begin. They share out the time of the read: their ms add up to
 * `durationMs`, as far as they are known.
 */
export const hitSteps = [
  /** From the page's request to the network service's URL_REQUEST: two processes, a message, the loader. */
  'dispatch',
  /** HTTP_CACHE_GET_BACKEND: the wait for the back end to have started. */
  'backendWait',
  /** HTTP_CACHE_OPEN_OR_CREATE_ENTRY: the entry is looked up and opened. */
  'entryOpen',
  /** HTTP_CACHE_ADD_TO_ENTRY: the wait for the entry's lock. */
  'lockWait',
  /** HTTP_CACHE_READ_INFO: the stored response headers. */
  'headerRead',
  /** HTTP_CACHE_READ_DATA: the stored body. */
  'bodyRead',
  /** Of the content coding, in the network service. */
  'decode',
  /** A network read's: of the dictionary in the profile (RFC 9842). */
  'dictionaryRead',
  /** Of a network read: HTTP_CACHE_WRITE_INFO and _DATA, its response is written to the cache. */
  'entryWrite',
  /** Of a network read: HTTP_STREAM_REQUEST and HTTP_TRANSACTION_*, less what stands above. */
  'network',
  /** From the last byte in the network service until the page had the whole body. */
  'delivery',
  /** What lies between these steps. */
  'rest',
] as const;
export type HitStep = (typeof hitSteps)[number];

/** How long a step took in all. */
export const stepTimeSchema = z.object({
  /** null: unknown; 0 only when it took no time. */
  ms: z.nullable(z.number()),
  /** Why it is unknown, or what to know of it; absent when there is nothing to say. */
  why: z.optional(z.string()),
  /** Body reads: how many. */
  count: z.optional(z.number()),
  /** Body reads: stored bytes that they gave. */
  bytes: z.optional(z.number()),
});
export type StepTime = z.infer<typeof stepTimeSchema>;

/** A piece of a step where it lies in time, ms since the page asked for the resource. */
export const stepSpanSchema = z.object({
  step: z.enum(hitSteps),
  startMs: z.number(),
  endMs: z.number(),
});
export type StepSpan = z.infer<typeof stepSpanSchema>;

/** What is wrong with a traced read, so that a reader does not trust it blindly. */
export const tracedFlags = [
  /** The page's fetch() failed. */
  'read-failed',
  /** The body's SHA-256 is not the one of the resource. */
  'wrong-body',
  /** The network was asked: no hit. */
  'network-used',
  /** A first load for which the network was not asked. */
  'network-unused',
  /** The trace does not hold the whole read, because it was cut off. */
  'trace-cut-off',
  /** The trace does not hold the read at all. */
  'not-in-trace',
  /** The device's counters and the witness of the single reads do not tell the same number of reads. */
  'device-reads-disagree',
  /** The page's clock and the trace differ by more than a tenth of the read (and 1 ms). */
  'clocks-disagree',
] as const;
export type TracedFlag = (typeof tracedFlags)[number];

/** One read that was traced and is in no statistics: a line of traced.ndjson. */
export const tracedReadSchema = z.object({
  cell: cellSchema,
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** Number of the shard that took it, in a run merged from shards; absent otherwise. */
  shard: z.optional(z.number()),
  /** Absent: a cached read. `first load`: from the network, by a URL of its own, with the dictionary read anew. */
  kind: z.optional(z.literal('first load')),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Chromium's disk cache as the trace shows it; null: it does not. */
  backEnd: z.nullable(z.enum(['simple', 'blockfile', 'sql'])),
  /** When the page asked, µs of CLOCK_MONOTONIC; absent when the trace does not tell, and in runs saved before this was kept. */
  beginUs: z.optional(z.number()),
  /** Chromium's own trace of the read, gzipped, in the run's folder `traces`; absent: it was not kept. */
  traceFile: z.optional(z.string().check(z.regex(/^\d+\.json\.gz$/))),
  /** By the page's clock, as a sample's readMs. */
  readMs: z.number(),
  /** From the page's request to its last byte, by the trace's clock, ms; null when the trace does not hold both. */
  durationMs: z.nullable(z.number()),
  steps: z.record(z.enum(hitSteps), stepTimeSchema),
  /** The same, where they lie in time, without `rest`; they do not overlap. */
  spans: z.array(stepSpanSchema),
  /** By start; null: no witness (`deviceReadsWhy`). */
  deviceReads: z.nullable(z.array(deviceReadSchema)),
  deviceWitness: z.nullable(z.enum(['block tracepoints', 'nbdkit log'])),
  /** Why there is no witness, or what limits it; absent when there is nothing to say. */
  deviceReadsWhy: z.optional(z.string()),
  /** Longest chain of reads that were waited for, each issued after the one before had completed; null: unknown. */
  serialReads: z.nullable(z.number()),
  /** Read requests that the device's counters tell for the same time; null: unknown. */
  countedReads: z.nullable(z.number()),
  /** System calls of the network service on files; null: not asked for, or not to be had (`syscallsWhy`). */
  syscalls: z.nullable(z.array(syscallSchema)),
  syscallsWhy: z.optional(z.string()),
  /** Size of the trace and events in it. */
  traceBytes: z.number(),
  traceEvents: z.number(),
  flags: z.array(z.enum(tracedFlags)),
});
export type TracedRead = z.infer<typeof tracedReadSchema>;

/** File in a run's directory that holds the traced reads, one JSON text a line. */
export const tracedFile = 'traced.ndjson';

/** Folder in a run's directory that holds Chromium's traces of these reads. */
export const tracesFolder = 'traces';

/** The device reads that the read waited for: those that were complete before the last step in the network service was. */
export function waitedReads(
  reads: readonly DeviceRead[],
  spans: readonly StepSpan[],
): DeviceRead[] {
  const served = spans.filter(({ step }) => step !== 'delivery').map(({ endMs }) => endMs);
  const untilMs = Math.max(0, ...served);
  return reads.filter(({ endMs }) => endMs <= untilMs);
}

/** A text that two traced reads share exactly when they are of the same cell, kind and shard. */
export function tracedKey({
  cell,
  kind,
  shard,
}: Pick<TracedRead, 'cell' | 'kind' | 'shard'>): string {
  const of = kind === undefined ? cellKey(cell) : `${cellKey(cell)} ${kind}`;
  return shard === undefined ? of : `${of} shard ${shard}`;
}

/** The traced reads of hits that may be reckoned with: whole, and without a contradiction. */
export function soundTraces(traced: readonly TracedRead[]): TracedRead[] {
  return traced.filter(({ flags, kind }) => flags.length === 0 && kind === undefined);
}
