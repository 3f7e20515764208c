import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { evidenceDepths } from '../attribution/evidence.ts';
import { cellKeyOf } from './cell.ts';
import { unflagged } from './flags.ts';
import { residencySchema } from './page-cache-state.ts';
import { resourceTimingSchema } from '../attribution/resource-timing.ts';

/** Storage of a cell's cache: ordinary storage (`none`, the control) or a device with a configured delay. */
export const storageKinds = ['none', 'dm-delay', 'nbd-live', 'nbd-delay'] as const;
export type StorageKind = (typeof storageKinds)[number];

/** Why a sample is kept but excluded from the statistics. */
export const sampleFlags = [
  /** The extension did not attribute the read to the disk cache. */
  'source-not-disk',
  /** The origin's request log shows a request for the resource during the read. */
  'origin-touched',
  /** The device's counters show no read: a layer above the device served the data. */
  'device-silent',
  /** The device delivered far fewer bytes than the entry has: the rest came from the browser's own memory. */
  'device-short',
  /** The files of the browser's cache were not in the requested page-cache state. */
  'page-cache-state',
  /** The body's SHA-256 is not that of the resource. */
  'wrong-body',
  /** The page's fetch() failed: there is no body. */
  'read-failed',
  /** A first load that did not make exactly one request, or whose response had a different coding than its arm. */
  'origin-unasked',
  /** The browser's own histograms of the launch disagree with its reads (cache-histograms.ts). */
  'histograms',
  /** A process of the browser, the harness, the storage or the machine did not run during the read. */
  'suspended',
  /** The emulated link was not as set, before or after. */
  'link-off',
] as const;
export type SampleFlag = (typeof sampleFlags)[number];

/**
 * One combination of factor levels. A sweep's factors: the arm, the storage's read delay, the workload, the variant.
 */
export const cellSchema = z.object({
  arm: z.enum(codings),
  storage: z.enum(storageKinds),
  /** Requested delay of each device read, ms, 0 to 10000. 0 for the control. */
  delayMs: z.number(),
  /** Name of the profile that each device read draws its latency from; absent: only `delayMs` counts. */
  profile: z.optional(z.string()),
  /** Name of the variant (variant.ts); absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Name of the workload; absent in a run of a single workload. */
  workload: z.optional(z.string()),
});
export type Cell = z.infer<typeof cellSchema>;

/** The statement of one witness about a response. */
export const signalSchema = z.object({
  depth: z.enum(evidenceDepths),
  /** One sentence without a full stop. */
  says: z.string(),
  /**
   * `agrees`: the verdict is among the sources that the witness leaves possible; `disagrees`: the witness contradicts
   * the verdict or another witness; `silent`: it observed the response and cannot decide; `missing`: it did not observe
   * the response.
   */
  stance: z.enum(['agrees', 'disagrees', 'silent', 'missing']),
  /**
   * The response hides its sizes and times from the page: it is cross-origin without Timing-Allow-Origin. Absent: it
   * does not, or the signal was saved before this field existed.
   */
  isHidden: z.optional(z.boolean()),
});
export type Signal = z.infer<typeof signalSchema>;

/** The extension's verdict on where a response came from. */
export const attributionSchema = z.object({
  /** Cache source, one of `cacheSources` (cache-source.ts). */
  source: z.string(),
  /** A more specific source, for example `http-cache`; absent when there is none or it is unknown. */
  detail: z.optional(z.string()),
  confidence: z.enum(['certain', 'likely', 'unknown']),
  /** The signals that led to the verdict, and the missing signals, in words. */
  reasons: z.array(z.string()),
  /** All sources that the evidence leaves possible, as `source` or `source/detail`, when there is more than one. */
  candidates: z.optional(z.array(z.string())),
  /** Name of the Cache Storage, when a witness reported it. */
  cacheStorageName: z.optional(z.string()),
  /**
   * Static routing of a service worker (or its fetch handler that did not respond): the source of the matched rule, and
   * the actual source.
   */
  router: z.optional(z.object({ matched: z.optional(z.string()), actual: z.optional(z.string()) })),
  /**
   * Why the response was blocked, failed or is incomplete: `CSP`, `CORS`, `net::ERR_…`; absent: it was complete, or no
   * witness reported it.
   */
  failure: z.optional(z.string()),
  /** Body bytes of a mixed response by source; absent when unknown. */
  parts: z.optional(z.object({ networkBytes: z.number(), cachedBytes: z.number() })),
  /** Every witness and its statement, in order of depth. */
  signals: z.optional(z.array(signalSchema)),
});
export type Attribution = z.infer<typeof attributionSchema>;

/** The block device's counters during a read (Linux Documentation/block/stat.rst). */
export const deviceCountsSchema = z.object({
  /** Read requests completed by the device. */
  reads: z.number(),
  readBytes: z.number(),
  writes: z.number(),
  writtenBytes: z.number(),
  /** True when other programs use the device too: the counts are then an upper bound, and only a 0 is conclusive. */
  shared: z.optional(z.boolean()),
});
export type DeviceCounts = z.infer<typeof deviceCountsSchema>;

/** One read of one resource in one cell: a line of samples.ndjson. */
export const sampleSchema = z.object({
  /** Position in the run, from 0, in the order taken. */
  sequence: z.number(),
  cell: cellSchema,
  /** Number of the browser launch that took it, from 0. Samples of one launch are not independent. */
  launch: z.int().check(z.minimum(0)),
  /** The machine that took it, in a run merged from shards (shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** 1 for the first try, 2 or 3 for a retry after an infrastructure error. */
  attempt: z.number(),
  /** Number of the pass over all points that it belongs to, from 0; absent in runs saved before this field existed. */
  pass: z.optional(z.number()),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /**
   * `timed` counts in the statistics of cached reads. `companion` is a confirmation read with heavier evidence and does
   * not count. `first load` came from the network, with its own URL, and is reported separately.
   */
  kind: z.enum(['timed', 'companion', 'first load']),
  /** From the call of fetch() to the whole decoded body in the page, ms, by the page's clock. */
  readMs: z.number().check(z.gte(0)),
  timing: z.nullable(resourceTimingSchema),
  attribution: attributionSchema,
  /** Requests for this resource that reached the origin during the read. 0 for a cache hit. */
  originRequests: z.number(),
  /** null: the device's counters cannot be read (unknown, not zero). */
  device: z.nullable(deviceCountsSchema),
  /** Time to bring the page cache into its state before the read, ms; absent in older runs. */
  evictionMs: z.optional(z.number()),
  /**
   * CPU time of the browser's network service during the read, all threads, ms, from the kernel's scheduler. The
   * network service reads the cache and decodes. null: unknown; absent in runs saved before this field existed.
   */
  networkServiceMs: z.optional(z.nullable(z.number())),
  /**
   * Page-cache residency of the browser's cache before the read; absent when it was not checked, as before a cold read.
   */
  residency: z.optional(residencySchema),
  /** Decoded bytes the page received. */
  bodyBytes: z.number(),
  /** Lower-case hex SHA-256 of those bytes; empty when the read failed and there is no complete body. */
  bodySha256: z.string(),
  /** Empty when the witnesses agree. */
  flags: z.array(z.enum(sampleFlags)),
});
export type Sample = z.infer<typeof sampleSchema>;

/** Whether something stood still while a measurement was taken, which says nothing of what was measured. */
export function wasSuspended({ flags }: { flags: readonly string[] }): boolean {
  return flags.includes('suspended');
}

/** The samples that statistics may use: timed and not flagged. */
export function usable(samples: readonly Sample[]): Sample[] {
  return unflagged(samples.filter(({ kind }) => kind === 'timed'));
}

/**
 * Whether a sample is a confirmation read that did not confirm the disk cache. Where something stood still during it, its
 * time does not count, but its source does.
 */
export function isUnconfirmed({ kind, flags, attribution }: Sample): boolean {
  const isFlagged = flags.some((flag) => flag !== 'suspended');
  return kind === 'companion' && (isFlagged || attribution.confidence !== 'certain');
}

/** The samples whose device had a constant delay, or none. */
export function atConstantDelay(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ cell }) => cell.profile === undefined);
}

export const cellKey = cellKeyOf(cellSchema);
