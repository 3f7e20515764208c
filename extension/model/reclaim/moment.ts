import * as z from 'zod/mini';

/** An entry that went. Times in ms before it went; null: not known. */
export const evictedEntrySchema = z.object({
  key: z.string(),
  bytes: z.nullable(z.number()),
  /** Since it was written. */
  ageMs: z.nullable(z.number()),
  /** Since it was last used: written or read. */
  idleMs: z.nullable(z.number()),
  /** How often it was read. */
  uses: z.nullable(z.number()),
});
export type EvictedEntry = z.infer<typeof evictedEntrySchema>;

const filledSchema = z.object({ entries: z.nullable(z.number()), bytes: z.nullable(z.number()) });

/**
 * One reclaim: entries went because of the limit. Of a store that tells, as it did it; of Chromium, what was found gone
 * between two looks at the disk. Where a store reclaims too often to tell of each, several that followed each other.
 */
export const reclaimMomentSchema = z.object({
  kind: z.literal('reclaim'),
  sequence: z.number(),
  /** When it, or the first of several, began, or when it was found, ms since the first request was due. */
  atMs: z.number(),
  /** For how many reclaims this stands; absent: for one. */
  times: z.optional(z.number()),
  /** How long it took, several together; of what was found, the time between the two looks. ms; null: not known. */
  durationMs: z.nullable(z.number()),
  /** How long the longest of several took, ms; absent of one. */
  longestMs: z.optional(z.number()),
  /** `told` by the store itself, or `observed`. */
  how: z.enum(['told', 'observed']),
  /** Which limit was exceeded; null: not known. */
  cause: z.nullable(z.enum(['entries', 'bytes'])),
  /** Before the first of several. */
  before: filledSchema,
  /** After the last of several: what was written between them is in it. */
  after: filledSchema,
  /** Entries that went, in all of several. */
  evicted: z.number(),
  /** Bytes of them; null: not known. */
  evictedBytes: z.nullable(z.number()),
  /**
   * Of all pairs of an entry that went and one that stayed, the share in which the one that went had been written longer
   * ago; 1: least recently written, 0.5: writing did not matter. Of several, of the first. null: not known, or none stayed.
   */
  byWrite: z.nullable(z.number()),
  /** The same of the last use; 1: least recently used. */
  byUse: z.nullable(z.number()),
  /** The same of the size: 1: the largest went. */
  bySize: z.nullable(z.number()),
  /** The same of the time since the last use, times the size, which is what Chromium's simple back end weighs by. */
  byUseAndSize: z.nullable(z.number()),
  /** Some of those that went, of several in the first, evenly over the order in which they went. */
  examples: z.array(evictedEntrySchema),
});
export type ReclaimMoment = z.infer<typeof reclaimMomentSchema>;

/** Whether it stands for a single reclaim. */
export function isSingle({ times = 1 }: Pick<ReclaimMoment, 'times'>): boolean {
  return times === 1;
}

/** For how many reclaims these stand together. */
export function reclaimCount(moments: readonly Pick<ReclaimMoment, 'times'>[]): number {
  return moments.reduce((sum, { times = 1 }) => sum + times, 0);
}
