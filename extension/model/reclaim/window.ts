import * as z from 'zod/mini';
import { savedHistogramSchema } from './histogram.ts';

/** Of an event loop during a window: how late it came to what was due. */
const eventLoopSchema = z.object({
  p50Ms: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
  /** Share of the time in which it was not waiting, 0 to 1. */
  busy: z.number(),
});
export type EventLoopReading = z.infer<typeof eventLoopSchema>;

/** What the generator of the load did in one window. All times are on its clock, ms since the first request was due. */
export const loadWindowSchema = z.object({
  /** Requests whose time came in this window. */
  due: z.number(),
  sent: z.number(),
  /** Due, and never sent: too many were under way (reclaim-plan.ts names no limit: reclaim-load.ts does). */
  dropped: z.number(),
  /** Answers that came to their end, whatever their status. */
  answered: z.number(),
  /** Requests that had no whole answer. */
  failed: z.number(),
  /** Answers that the cache under load gave; null when nobody told. */
  hits: z.nullable(z.number()),
  /** Bytes of bodies as they came over the wire; null when they did not tell. */
  bytesIn: z.nullable(z.number()),
  /** Answers with status 200 to 399 and the right body. */
  succeeded: z.number(),
  /** Answers by status code. */
  statuses: z.record(z.string(), z.number()),
  /** Failures by their error, and answers with a wrong body. */
  errors: z.record(z.string(), z.number()),
  /** Requests under way at the end of the window. */
  inFlight: z.number(),
  /** When the first and the last request of the window were sent; null without any. */
  firstSentMs: z.nullable(z.number()),
  lastSentMs: z.nullable(z.number()),
  /** When the last answer of the window, or failure, came; null without any. */
  lastEndMs: z.nullable(z.number()),
  /** From the time at which a request was due to the end of its answer. Of the answers that ended in this window. */
  latency: savedHistogramSchema,
  /** The same from the time at which it was sent. */
  service: savedHistogramSchema,
  /** How late requests were sent. Of those that were sent in this window. */
  lateness: savedHistogramSchema,
  /** Share of the time in which the generator's own event loop was busy, 0 to 1; null when not known. */
  generatorBusy: z.nullable(z.number()),
});
export type LoadWindow = z.infer<typeof loadWindowSchema>;

/** Memory and handles of the processes of one type. */
const processReadingSchema = z.object({
  /** `origin`, `harness`, or Chromium's own words: `browser`, `renderer`, `gpu-process`, `utility` with its sub-type. */
  type: z.string(),
  processes: z.number(),
  /** Proportional set size (smaps_rollup): shared pages count by their share; null when not known. */
  pssBytes: z.nullable(z.number()),
  /** Open file descriptors; null when not known. */
  openFiles: z.nullable(z.number()),
});
export type ProcessReading = z.infer<typeof processReadingSchema>;

/** Processor time that the threads of one name took in a window. */
const threadReadingSchema = z.object({
  /** Type of their process. */
  type: z.string(),
  /** Name of the threads (comm); numbers at its end left out. */
  thread: z.string(),
  threads: z.number(),
  userMs: z.number(),
  systemMs: z.number(),
  /** Ready to run, and waiting for a processor (schedstat); null when the kernel does not count it. */
  waitingMs: z.nullable(z.number()),
  /** States that were seen (proc_pid_stat(5): R, S, D ...) and how many of the threads were in each. */
  states: z.record(z.string(), z.number()),
});
export type ThreadReading = z.infer<typeof threadReadingSchema>;

/** What a block device did in a window. */
const deviceReadingSchema = z.object({
  reads: z.number(),
  readBytes: z.number(),
  writes: z.number(),
  writtenBytes: z.number(),
});
export type DeviceReading = z.infer<typeof deviceReadingSchema>;

/** What the system under load looked like at the end of a window. null: not known. */
export const systemWindowSchema = z.object({
  /** Entries of the cache. */
  entries: z.nullable(z.number()),
  /** Bytes of the cache, counted as its limit counts them where that is known. */
  bytes: z.nullable(z.number()),
  /** Of the origin's store, the most since the last window; null of a cache that tells none. */
  mostEntries: z.nullable(z.number()),
  mostBytes: z.nullable(z.number()),
  /** Time of this window that the cache spent above its limit, ms; null of a cache that tells none. */
  overLimitMs: z.nullable(z.number()),
  processes: z.array(processReadingSchema),
  threads: z.array(threadReadingSchema),
  device: z.nullable(deviceReadingSchema),
  /** Of the origin. */
  eventLoop: z.nullable(eventLoopSchema),
});
export type SystemWindow = z.infer<typeof systemWindowSchema>;

/** A window: so much time of the run, one line. */
export const reclaimWindowSchema = z.object({
  kind: z.literal('window'),
  /** Rises by 1 with every line of a run, of any kind. */
  sequence: z.number(),
  /** End of the window, ms since the first request was due. */
  atMs: z.number(),
  /** Its length, ms. */
  spanMs: z.number(),
  load: loadWindowSchema,
  system: systemWindowSchema,
});
export type ReclaimWindow = z.infer<typeof reclaimWindowSchema>;
