import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { evidenceDepths } from '../attribution/evidence.ts';
import { residencySchema } from './page-cache-state.ts';
import { resourceTimingSchema } from '../attribution/resource-timing.ts';

/** Where the cache of a cell lies: on ordinary storage (`none`, the control) or behind a device with a set delay. */
export const storageKinds = ['none', 'dm-delay', 'nbd-live', 'nbd-delay'] as const;
export type StorageKind = (typeof storageKinds)[number];

/** Why a sample is kept but left out of the statistics. */
export const sampleFlags = [
  /** The extension did not attribute the read to the disk cache. */
  'source-not-disk',
  /** The origin's request log shows a request for the resource during the read. */
  'origin-touched',
  /** The device's counters show no read: something above the device answered. */
  'device-silent',
  /** The device delivered far fewer bytes than the entry holds: the rest came from the browser's own memory. */
  'device-short',
  /** The files of the browser's cache were not in the page-cache state that was asked for. */
  'page-cache-state',
  /** The body's SHA-256 is not the one of the resource. */
  'wrong-body',
  /** The page's fetch() failed: there is no body. */
  'read-failed',
  /** A first load that did not make exactly one request, or whose response came in another coding than its arm's. */
  'origin-unasked',
  /** The browser's own histograms of the launch disagree with its reads (cache-histograms.ts). */
  'histograms',
] as const;
export type SampleFlag = (typeof sampleFlags)[number];

/** One combination of factor levels. A sweep's factors: the arm, the storage's read delay, the workload, the variant. */
export const cellSchema = z.object({
  arm: z.enum(codings),
  storage: z.enum(storageKinds),
  /** Delay asked of the device for each read, ms, 0 to 10000. 0 for the control. */
  delayMs: z.number(),
  /** Name of the variant (variant.ts); absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Name of the workload; absent in a run of one. */
  workload: z.optional(z.string()),
});
export type Cell = z.infer<typeof cellSchema>;

/** What one witness said of a response, for a reader who wants to know why. */
export const signalSchema = z.object({
  depth: z.enum(evidenceDepths),
  /** One sentence without a full stop. */
  says: z.string(),
  /**
   * `agrees`: the verdict is among what it leaves possible; `disagrees`: it contradicts the verdict, or another witness;
   * `silent`: it watched and cannot tell; `missing`: it did not watch.
   */
  stance: z.enum(['agrees', 'disagrees', 'silent', 'missing']),
  /**
   * The response hides its sizes and times from the page: it is cross-origin and has no Timing-Allow-Origin. Absent: it
   * does not, or the signal was saved before this was kept.
   */
  isHidden: z.optional(z.boolean()),
});
export type Signal = z.infer<typeof signalSchema>;

/** The extension's verdict on where a response came from. */
export const attributionSchema = z.object({
  /** Cache source, one of `cacheSources` (cache-source.ts). */
  source: z.string(),
  /** More of it, for example `http-cache`; absent when there is no more to say, or it is not known. */
  detail: z.optional(z.string()),
  confidence: z.enum(['certain', 'likely', 'unknown']),
  /** The signals, in words, that led there, and those that are missing. */
  reasons: z.array(z.string()),
  /** Everything it may be, as `source` or `source/detail`, when the evidence leaves more than one. */
  candidates: z.optional(z.array(z.string())),
  /** Name of the Cache Storage, when a witness told it. */
  cacheStorageName: z.optional(z.string()),
  /** A service worker's static routing (or its fetch handler that did not respond): the rule's source, and the real one. */
  router: z.optional(z.object({ matched: z.optional(z.string()), actual: z.optional(z.string()) })),
  /** Why it was blocked or failed, or did not come whole: `CSP`, `CORS`, `net::ERR_…`; absent: it did, or nobody told. */
  failure: z.optional(z.string()),
  /** Body bytes of a mixed response by where they came from; absent when not told. */
  parts: z.optional(z.object({ networkBytes: z.number(), cachedBytes: z.number() })),
  /** Every witness and what it said, in order of depth. */
  signals: z.optional(z.array(signalSchema)),
});
export type Attribution = z.infer<typeof attributionSchema>;

/** What the block device counted during a read (Linux Documentation/block/stat.rst). */
export const deviceCountsSchema = z.object({
  /** Read requests completed by the device. */
  reads: z.number(),
  readBytes: z.number(),
  writes: z.number(),
  writtenBytes: z.number(),
  /** True when other programs use the device too: the counts are then an upper bound, and only a 0 says something. */
  shared: z.optional(z.boolean()),
});
export type DeviceCounts = z.infer<typeof deviceCountsSchema>;

/** One timed read of one resource in one cell: a line of samples.ndjson. */
export const sampleSchema = z.object({
  /** Position in the run, from 0, in the order taken. */
  sequence: z.number(),
  cell: cellSchema,
  /** Number of the browser launch that took it, from 0. Samples of one launch are not independent. */
  launch: z.number(),
  /** The machine that took it, in a run merged from shards (shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** 1 for the first try, 2 or 3 for a retry after an infrastructure error. */
  attempt: z.number(),
  /** Number of the pass over all points that it belongs to, from 0; absent in runs that were saved before passes were kept. */
  pass: z.optional(z.number()),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /**
   * `timed` counts in the statistics of cached reads. `companion` was watched by heavier evidence and does not. `first load`
   * came from the network, by a URL of its own, and is told by itself.
   */
  kind: z.enum(['timed', 'companion', 'first load']),
  /** From the call of fetch() to the whole decoded body in the page, ms, by the page's clock. */
  readMs: z.number(),
  timing: z.nullable(resourceTimingSchema),
  attribution: attributionSchema,
  /** Requests for this resource that reached the origin during the read. 0 is what a cache hit must show. */
  originRequests: z.number(),
  /** null: the device's counters cannot be read (unknown, not zero). */
  device: z.nullable(deviceCountsSchema),
  /** Time that it took to bring the page cache into its state before the read, ms; absent in older runs. */
  evictionMs: z.optional(z.number()),
  /**
   * Processor time of the browser's network service during the read, all threads, ms, as the kernel's scheduler counts it:
   * it reads the cache and decodes. null: unknown; absent in runs that were saved before it was kept.
   */
  networkServiceMs: z.optional(z.nullable(z.number())),
  /** What the page cache held of the browser's cache before the read; absent where nobody looked, as before a cold read. */
  residency: z.optional(residencySchema),
  /** Decoded bytes the page received. */
  bodyBytes: z.number(),
  /** Lower-case hex SHA-256 of those bytes; empty when the read failed and there is no whole body. */
  bodySha256: z.string(),
  /** Empty when the witnesses agree. */
  flags: z.array(z.enum(sampleFlags)),
});
export type Sample = z.infer<typeof sampleSchema>;

/** The samples that statistics may use: timed and not flagged. */
export function usable(samples: readonly Sample[]): Sample[] {
  return samples.filter((sample) => sample.kind === 'timed' && sample.flags.length === 0);
}

/** A text that two cells share exactly when they are the same cell. */
export function cellKey(cell: Cell): string {
  const workload = cell.workload === undefined ? '' : `/${cell.workload}`;
  return `${cell.storage}/${cell.delayMs}/${cell.arm}/${cell.variant ?? ''}${workload}`;
}
