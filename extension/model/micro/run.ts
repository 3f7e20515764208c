import * as z from 'zod/mini';
import { microCaches } from './cache.ts';
import { microParts, microSliceSchema } from './slice.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { storageKinds } from '../run/sample.ts';
import { diskCacheBackEnds, settingsSchema } from '../run/variant.ts';

export const microPlanSchema = z.object({
  parts: z.array(z.enum(microParts)),
  caches: z.array(z.enum(microCaches)),
  /** Body bytes, in the order asked for. */
  sizesBytes: z.array(z.number()),
  /** Set time of each row of the table, ms, over all launches. */
  timeMs: z.number(),
  /** Browser launches that share a cell's runs. */
  launches: z.number(),
  /** Resources of the list. */
  listLength: z.number(),
  /** Entries in the cache that is searched, rising. */
  entries: z.array(z.number()),
  /** Back ends of the disk cache that are searched. */
  backEnds: z.array(z.enum(diskCacheBackEnds)),
  storage: z.enum(storageKinds),
  /** Read delays of the slow device, ms, rising; empty: ordinary storage only. */
  delaysMs: z.array(z.number()),
  /** By how much of the memory cache's time the disk cache must take longer to be clearly slower, as a share. */
  crossoverMargin: z.number(),
  seed: z.number(),
  /** What every browser of the run has in common; absent: nothing special. */
  settings: z.optional(settingsSchema),
});
export type MicroPlan = z.infer<typeof microPlanSchema>;

/** A wait for all cache I/O of a list or a fill. */
export const quietSchema = z.object({
  /** What was waited for, for people. */
  after: z.string(),
  waitedMs: z.number(),
  /** Entries in the disk cache then; null: its back end does not tell while the browser runs. */
  entries: z.nullable(z.number()),
});
export type Quiet = z.infer<typeof quietSchema>;

/** A cache that was filled for the search. */
export const microFillSchema = z.object({
  cache: z.enum(microCaches),
  backEnd: z.optional(z.enum(diskCacheBackEnds)),
  /** Entries stored by this fill. */
  entries: z.number(),
  tookMs: z.number(),
});
export type MicroFill = z.infer<typeof microFillSchema>;

/** run.json of the micro-benchmarks. */
export const microRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('micro'),
  plan: microPlanSchema,
  fills: z.array(microFillSchema),
  quiets: z.array(quietSchema),
});
export type MicroRun = z.infer<typeof microRunSchema>;

/** The micro-benchmarks with their slices. */
export const microDocumentSchema = z.object({
  run: microRunSchema,
  slices: z.array(microSliceSchema),
});
export type MicroRunDocument = z.infer<typeof microDocumentSchema>;

/** How saved micro-benchmarks are read. */
export const savedMicro = savedExperiment({
  lineFile: 'slices.ndjson',
  itemName: 'slice',
  documentSchema: microDocumentSchema,
  runSchema: microRunSchema,
  itemSchema: microSliceSchema,
  idOf: (slice) => slice.sequence,
  repeated: 'first',
  join: (run, slices) => ({ run, slices }),
  itemsOf: ({ slices }) => slices,
});
