import * as z from 'zod/mini';

/** Where the origin spent its processor time while it was profiled: at most one line a run. */
export const cpuShareSchema = z.object({
  kind: z.literal('cpu-profile'),
  sequence: z.number(),
  /** When profiling began, ms since the first request was due. */
  atMs: z.number(),
  spanMs: z.number(),
  /** Shares of the samples, largest first, 0 to 1; small ones are left out. */
  shares: z.array(
    z.object({
      /** Module of the function: a package, a `node:` module, a file of the origin, or `(native)`, `(garbage collector)`, `(idle)`. */
      module: z.string(),
      /** Its functions with the most samples, largest first. */
      functions: z.array(z.object({ name: z.string(), share: z.number() })),
      share: z.number(),
    }),
  ),
});
export type CpuShareLine = z.infer<typeof cpuShareSchema>;
