import * as z from 'zod/mini';
import { evictionPassSchema } from './eviction-pass.ts';
import { reclaimPlanSchema } from './plan.ts';
import { reclaimWindowSchema } from './window.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';

/** run.json of a cache under a constant load. */
export const reclaimRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('reclaim'),
  plan: reclaimPlanSchema,
});
export type ReclaimRun = z.infer<typeof reclaimRunSchema>;

/** Where the origin spent its processor time while it was profiled: at most one line a run. */
const cpuShareSchema = z.object({
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

/** Memory of the origin's process after garbage collection: measured before the load and after it. */
const heldMemorySchema = z.object({
  kind: z.literal('held'),
  sequence: z.number(),
  when: z.enum(['before', 'after']),
  /** 0, or the end of the last window, ms since the first request was due. */
  atMs: z.number(),
  /** Used heap of V8, bytes. */
  heapBytes: z.number(),
  /** Buffers outside the heap, bodies included, bytes. */
  externalBytes: z.number(),
});
export type HeldMemoryLine = z.infer<typeof heldMemorySchema>;

/** One measurement, bytes. */
export type HeldMemory = Pick<HeldMemoryLine, 'heapBytes' | 'externalBytes'>;

/** One line of windows.ndjson. */
export const reclaimLineSchema = z.discriminatedUnion('kind', [
  reclaimWindowSchema,
  evictionPassSchema,
  cpuShareSchema,
  heldMemorySchema,
]);
export type ReclaimLine = z.infer<typeof reclaimLineSchema>;

/** The lines of a run by their kind. */
export function linesByKind(lines: readonly ReclaimLine[]) {
  const of = <Kind extends ReclaimLine['kind']>(kind: Kind) =>
    lines.filter((line): line is Extract<ReclaimLine, { kind: Kind }> => line.kind === kind);
  return {
    windows: of('window'),
    passes: of('reclaim'),
    /** Where the origin spent processor time; null when it was not profiled. */
    cpu: of('cpu-profile')[0] ?? null,
    held: of('held'),
  };
}

/** A cache under load, with all that was seen. */
export const reclaimDocumentSchema = z.object({
  run: reclaimRunSchema,
  lines: z.array(reclaimLineSchema),
});
export type ReclaimRunDocument = z.infer<typeof reclaimDocumentSchema>;

/** How a saved run of a cache under load is read. */
export const savedReclaim = savedExperiment({
  lineFile: 'windows.ndjson',
  itemName: 'line',
  documentSchema: reclaimDocumentSchema,
  runSchema: reclaimRunSchema,
  itemSchema: reclaimLineSchema,
  idOf: (line) => line.sequence,
  repeated: 'first',
  join: (run, lines) => ({ run, lines }),
  itemsOf: ({ lines }) => lines.filter(({ kind }) => kind === 'window'),
});
