import * as z from 'zod/mini';

/** A metric over the runs of a baseline, oldest first, the compared run last. */
export const trendSchema = z.object({
  baseline: z.string(),
  runs: z.array(z.object({ startedAt: z.string(), about: z.string() })),
  /** Cells that every run has, with the median of each run in the unit of the metric. */
  cells: z.array(z.object({ place: z.string(), medians: z.array(z.number()) })),
  /** Cells for which only some of the runs have a median; absent in comparisons saved before this field existed. */
  missing: z.optional(z.array(z.string())),
  /** `at`: position of the first run after the change; `p`: p-value by permutation. */
  changePoints: z.array(z.object({ at: z.number(), p: z.number() })),
});
export type Trend = z.infer<typeof trendSchema>;
