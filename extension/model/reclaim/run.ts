import * as z from 'zod/mini';
import { cpuShareSchema } from './cpu-share.ts';
import { heldMemorySchema } from './held.ts';
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

/** One line of windows.ndjson. */
export const reclaimLineSchema = z.discriminatedUnion('kind', [
  reclaimWindowSchema,
  evictionPassSchema,
  cpuShareSchema,
  heldMemorySchema,
]);
export type ReclaimLine = z.infer<typeof reclaimLineSchema>;

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
