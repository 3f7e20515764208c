import * as z from 'zod/mini';
import { savedHistogramSchema } from './histogram.ts';

/** Delay of an event loop's timers during a window. */
const eventLoopSchema = z.object({
  p50Ms: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
  /** Utilisation: share of the time in which it was not idle, 0 to 1. */
  busy: z.number(),
});
export type EventLoopReading = z.infer<typeof eventLoopSchema>;

/** The load generator during one window. Times on its clock, ms since the first request was due. */
export const loadWindowSchema = z.object({
  /** Requests due in this window. */
  due: z.number(),
  sent: z.number(),
  /** Due and dropped: too many were in flight. */
  dropped: z.number(),
  /** Complete answers, of any status. */
  answered: z.number(),
  /** Requests without a complete answer. */
  failed: z.number(),
  /** Hits of the cache under load; null: unknown. */
  hits: z.nullable(z.number()),
  /** Bytes of bodies on the wire; null: unknown. */
  bytesIn: z.nullable(z.number()),
  /** Answers with status 200 to 399 and the correct body. */
  succeeded: z.number(),
  /** Answers by status code. */
  statuses: z.record(z.string(), z.number()),
  /** Failures by error, and answers with a wrong body. */
  errors: z.record(z.string(), z.number()),
  /** Requests in flight at the end of the window. */
  inFlight: z.number(),
  /** When the first and the last request of the window were sent; null without any. */
  firstSentMs: z.nullable(z.number()),
  lastSentMs: z.nullable(z.number()),
  /** When the last answer or failure of the window ended; null without any. */
  lastEndMs: z.nullable(z.number()),
  /** Due to end of the answer, over the answers that ended in this window. */
  latency: savedHistogramSchema,
  /** Sent to end of the answer, over the same answers. */
  service: savedHistogramSchema,
  /** Send delay, over the requests sent in this window. */
  lateness: savedHistogramSchema,
  /** Utilisation of the generator's event loop, 0 to 1; null: unknown. */
  generatorBusy: z.nullable(z.number()),
});
export type LoadWindow = z.infer<typeof loadWindowSchema>;

/** Memory and handles of the processes of one type. */
const processReadingSchema = z.object({
  /** `origin`, `harness`, or Chromium's own words: `browser`, `renderer`, `gpu-process`, `utility` with its sub-type. */
  type: z.string(),
  processes: z.number(),
  /** Proportional set size (smaps_rollup): shared pages are divided among their users; null: unknown. */
  pssBytes: z.nullable(z.number()),
  /** Open file descriptors; null: unknown. */
  openFiles: z.nullable(z.number()),
});
export type ProcessReading = z.infer<typeof processReadingSchema>;

/** Processor time of the threads of one name in a window. */
const threadReadingSchema = z.object({
  /** Type of their process. */
  type: z.string(),
  /** Name of the threads (comm), without trailing numbers. */
  thread: z.string(),
  threads: z.number(),
  userMs: z.number(),
  systemMs: z.number(),
  /** Runnable, waiting for a processor (schedstat); null when the kernel does not count it. */
  waitingMs: z.nullable(z.number()),
  /** Observed states (proc_pid_stat(5): R, S, D ...) and the number of threads in each. */
  states: z.record(z.string(), z.number()),
});
export type ThreadReading = z.infer<typeof threadReadingSchema>;

/** Activity of a block device in a window. */
const deviceReadingSchema = z.object({
  reads: z.number(),
  readBytes: z.number(),
  writes: z.number(),
  writtenBytes: z.number(),
});
export type DeviceReading = z.infer<typeof deviceReadingSchema>;

/** State of the system under load at the end of a window. null: unknown. */
export const systemWindowSchema = z.object({
  /** Entries of the cache. */
  entries: z.nullable(z.number()),
  /** Bytes of the cache, counted as its limit counts them where that is known. */
  bytes: z.nullable(z.number()),
  /** Maximum of the origin's store since the last window; null for a cache that does not report it. */
  mostEntries: z.nullable(z.number()),
  mostBytes: z.nullable(z.number()),
  /** Time in this window above the limit, ms; null for a cache that does not report it. */
  overLimitMs: z.nullable(z.number()),
  processes: z.array(processReadingSchema),
  threads: z.array(threadReadingSchema),
  device: z.nullable(deviceReadingSchema),
  /** Of the origin. */
  eventLoop: z.nullable(eventLoopSchema),
});
export type SystemWindow = z.infer<typeof systemWindowSchema>;

/** One window of the run: one line. */
export const reclaimWindowSchema = z.object({
  kind: z.literal('window'),
  /** Increases by 1 with every line of a run, of any kind. */
  sequence: z.number(),
  /** End of the window, ms since the first request was due. */
  atMs: z.number(),
  /** Length of the window, ms. */
  spanMs: z.number(),
  load: loadWindowSchema,
  system: systemWindowSchema,
  /** True when a process or the machine did not run for a while; absent: all ran. */
  suspended: z.optional(z.boolean()),
});
export type ReclaimWindow = z.infer<typeof reclaimWindowSchema>;

/** The windows whose latencies count. Requests that waited for a suspended process may end in the next window. */
export function undisturbedWindows(windows: readonly ReclaimWindow[]): ReclaimWindow[] {
  return windows.filter(
    ({ suspended }, index) => suspended !== true && windows[index - 1]?.suspended !== true,
  );
}
