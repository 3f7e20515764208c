import * as z from 'zod/mini';

/**
 * Purpose of a device read. `metadata`: file system metadata (inodes, directories, extent trees); `headers`: the
 * cache's files, while the browser opened the entry or read its headers; `body`: the cache's files, while it read the
 * body; `dictionary`: the dictionary store; `other`: another file; `unknown`: no witness shows it.
 */
const deviceReadKinds = ['metadata', 'headers', 'body', 'dictionary', 'other', 'unknown'] as const;
export type DeviceReadKind = (typeof deviceReadKinds)[number];

/** One read request of the block device, from issue to completion. */
export const deviceReadSchema = z.object({
  /** Time since the page requested the resource, ms; negative for a read issued before. */
  startMs: z.number(),
  endMs: z.number(),
  /** Offset on the device, bytes. */
  offset: z.number(),
  bytes: z.number(),
  kind: z.enum(deviceReadKinds),
  /**
   * The kernel's flag for read-ahead, which nothing waits for yet (REQ_RAHEAD); absent when the witness does not report
   * it.
   */
  isReadAhead: z.optional(z.boolean()),
  /** Name of the cache's file at that offset; absent when unknown. */
  file: z.optional(z.string()),
});
export type DeviceRead = z.infer<typeof deviceReadSchema>;

/** From issue to completion, in one unit of time. */
type Interval = Pick<DeviceRead, 'startMs' | 'endMs'>;

/**
 * Serial reads: length of the longest chain of device reads, each issued after the one before completed. This is the
 * number of device delays that a cached read waits for in sequence. The number of requests overstates it where
 * read-ahead overlaps. null when the reads are unknown.
 *
 * Always taking the read that completes first gives a longest chain (interval scheduling, Kleinberg and Tardos 4.1).
 */
export function serialReadsOf(reads: readonly Interval[] | null): number | null {
  return reads === null ? null : serialChain(reads).length;
}

/** The reads of that chain, in order. */
export function serialChain<Read extends Interval>(reads: readonly Read[]): Read[] {
  const chain: Read[] = [];
  for (const read of reads.toSorted((one, other) => one.endMs - other.endMs)) {
    if (read.startMs >= (chain.at(-1)?.endMs ?? Number.NEGATIVE_INFINITY)) chain.push(read);
  }
  return chain;
}

/** Bytes of all reads; null when they are unknown. */
export function bytesRead(reads: readonly DeviceRead[] | null): number | null {
  return reads?.reduce((sum, { bytes }) => sum + bytes, 0) ?? null;
}

/** Time with at least one read in flight, ms. */
export function busyMs(reads: readonly Interval[]): number {
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of reads.toSorted((one, other) => one.startMs - other.startMs)) {
    busy += Math.max(0, endMs - Math.max(startMs, until));
    until = Math.max(until, endMs);
  }
  return busy;
}
