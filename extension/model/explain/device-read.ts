import * as z from 'zod/mini';

/**
 * What a device read was for. `metadata`: the file system's own (inodes, directories, extent trees); `headers` and `body`:
 * of the cache's files while the browser opened the entry or read its headers, and while it read its body; `dictionary`: of
 * the store of dictionaries; `other`: of another file; `unknown`: no witness tells.
 */
export const deviceReadKinds = [
  'metadata',
  'headers',
  'body',
  'dictionary',
  'other',
  'unknown',
] as const;
export type DeviceReadKind = (typeof deviceReadKinds)[number];

/** One read request of the block device, from its issue to its completion. */
export const deviceReadSchema = z.object({
  /** Since the page asked for the resource, ms; below 0 for one that was issued before. */
  startMs: z.number(),
  endMs: z.number(),
  /** Place on the device, bytes. */
  offset: z.number(),
  bytes: z.number(),
  kind: z.enum(deviceReadKinds),
  /** The kernel's word for a read that nobody waits for yet (REQ_RAHEAD); absent where the witness does not tell. */
  isReadAhead: z.optional(z.boolean()),
  /** Name of the cache's file that lies there; absent when it is not known. */
  file: z.optional(z.string()),
});
export type DeviceRead = z.infer<typeof deviceReadSchema>;

/** From issue to completion, in one unit of time. */
type Interval = Pick<DeviceRead, 'startMs' | 'endMs'>;

/**
 * The longest chain of reads of which each was issued after the one before had completed: how many delays of the device a
 * cached read waits for one after another. The number of requests alone overstates it where read-ahead overlaps. null
 * when the reads are not known.
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

/** Time in which at least one of the reads was under way, ms. */
export function busyMs(reads: readonly Interval[]): number {
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of reads.toSorted((one, other) => one.startMs - other.startMs)) {
    busy += Math.max(0, endMs - Math.max(startMs, until));
    until = Math.max(until, endMs);
  }
  return busy;
}
