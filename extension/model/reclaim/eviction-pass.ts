import * as z from 'zod/mini';

/** An evicted entry. Times in ms before its eviction; null: unknown. */
export const evictedEntrySchema = z.object({
  key: z.string(),
  bytes: z.nullable(z.number()),
  /** Since it was written. */
  ageMs: z.nullable(z.number()),
  /** Since it was last used: written or read. */
  idleMs: z.nullable(z.number()),
  /** Number of reads. */
  uses: z.nullable(z.number()),
});
export type EvictedEntry = z.infer<typeof evictedEntrySchema>;

const occupancySchema = z.object({
  entries: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
});

/** Older versions saved `told` for `reported`. */
const howSchema = z.pipe(
  z.transform((how: unknown) => (how === 'told' ? 'reported' : how)),
  z.enum(['reported', 'observed']),
);

/**
 * One eviction pass: entries were removed because of the limit. Our origin's store reports each pass; for Chromium, a pass
 * is what disappeared between two samples of the disk. Where passes are too frequent, one line covers several in a row.
 */
export const evictionPassSchema = z.object({
  kind: z.literal('reclaim'),
  sequence: z.number(),
  /** When the pass, or the first of several, began or was observed, ms since the first request was due. */
  atMs: z.number(),
  /** Number of passes in this line; absent: one. */
  times: z.optional(z.number()),
  /** Duration, summed over several; for an observed pass, the time between the two samples. ms; null: unknown. */
  durationMs: z.nullable(z.number()),
  /** Duration of the longest of several, ms; absent for one. */
  longestMs: z.optional(z.number()),
  /** Reported by the store itself, or observed from outside. */
  how: howSchema,
  /** The limit that was exceeded; null: unknown. */
  cause: z.nullable(z.enum(['entries', 'bytes'])),
  /** Before the first of several. */
  before: occupancySchema,
  /** After the last of several; includes what was written in between. */
  after: occupancySchema,
  /** Entries evicted, summed over several. */
  evicted: z.number(),
  /** Their bytes; null: unknown. */
  evictedBytes: z.nullable(z.number()),
  /**
   * Of all pairs of an evicted and a kept entry, the share in which the evicted one had been written longer ago;
   * 1: least recently written first, 0.5: unrelated. Of several, the first pass. null: unknown, or none was kept.
   */
  byWrite: z.nullable(z.number()),
  /** The same for the last use; 1: least recently used first. */
  byUse: z.nullable(z.number()),
  /** The same for the size; 1: largest first. */
  bySize: z.nullable(z.number()),
  /** The same for the time since the last use multiplied by the size, the weight of Chromium's simple back end. */
  byUseAndSize: z.nullable(z.number()),
  /** Some of the evicted entries (of the first pass), evenly spread over the order of eviction. */
  examples: z.array(evictedEntrySchema),
});
export type EvictionPass = z.infer<typeof evictionPassSchema>;

/** Number of passes that these lines cover. */
export function passCount(passes: readonly Pick<EvictionPass, 'times'>[]): number {
  return passes.reduce((sum, { times = 1 }) => sum + times, 0);
}
