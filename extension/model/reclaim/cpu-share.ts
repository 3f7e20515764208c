import * as z from 'zod/mini';

/** Where the origin's processor time went while it was profiled: one line a run at most. */
export const cpuShareSchema = z.object({
  kind: z.literal('cpu-profile'),
  sequence: z.number(),
  /** When profiling began, ms since the first request was due. */
  atMs: z.number(),
  spanMs: z.number(),
  /** Shares of the samples, the greatest first, 0 to 1; the rest is left out. */
  shares: z.array(
    z.object({
      /** Module of the function: a package, a `node:` module, a file of the origin, or `(native)`, `(garbage collector)`, `(idle)`. */
      module: z.string(),
      /** Its functions that took most, the greatest first. */
      functions: z.array(z.object({ name: z.string(), share: z.number() })),
      share: z.number(),
    }),
  ),
});
export type CpuShareLine = z.infer<typeof cpuShareSchema>;
