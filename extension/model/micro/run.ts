import * as z from 'zod/mini';
import { microCaches } from './cache.ts';
import { microParts, type MicroSlice, microSliceSchema } from './slice.ts';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { storageKinds } from '../run/sample.ts';
import { diskCacheBackEnds, settingsSchema } from '../run/variant.ts';

/** The plan of a `micro` run. */
export const microPlanSchema = z.object({
  parts: z.array(z.enum(microParts)),
  caches: z.array(z.enum(microCaches)),
  /** Body bytes, in the requested order. */
  sizesBytes: z.array(z.number()),
  /** Planned time of each row of the table, ms, over all launches. */
  timeMs: z.number(),
  /** Browser launches over which a cell's runs are spread. */
  launches: z.number(),
  /** Number of resources of the list. */
  listLength: z.number(),
  /** Numbers of entries in the searched cache, rising. */
  entries: z.array(z.number()),
  /** Back ends of the disk cache to search. */
  backEnds: z.array(z.enum(diskCacheBackEnds)),
  storage: z.enum(storageKinds),
  /** Read delays of the slow device, ms, rising; empty: ordinary storage only. */
  delaysMs: z.array(z.number()),
  /** Relative difference from the memory cache above which the disk cache is clearly slower. */
  crossoverMargin: z.number(),
  seed: z.number(),
  /** Settings common to every browser of the run; absent: none. */
  settings: z.optional(settingsSchema),
});
export type MicroPlan = z.infer<typeof microPlanSchema>;

/** A wait until all cache I/O of a list or of populating a cache is done. */
export const ioWaitSchema = z.object({
  /** Label of the operation whose I/O was awaited. */
  after: z.string(),
  waitedMs: z.number(),
  /** Entries in the disk cache after the wait; null: its back end does not report them while the browser runs. */
  entries: z.nullable(z.number()),
});

/** One population of a cache for the search. */
export const microPopulationSchema = z.object({
  cache: z.enum(microCaches),
  backEnd: z.optional(z.enum(diskCacheBackEnds)),
  /** Entries stored by it. */
  entries: z.number(),
  tookMs: z.number(),
});

/** run.json of the micro-benchmarks. */
export const microRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('micro'),
  plan: microPlanSchema,
  fills: z.array(microPopulationSchema),
  quiets: z.array(ioWaitSchema),
});
export type MicroRun = z.infer<typeof microRunSchema>;

/** The micro-benchmarks with their slices. */
export type MicroRunDocument = RunWith<'slices', MicroRun, MicroSlice>;

/** How to read saved micro-benchmarks. */
export const savedMicro = savedMeasurements({
  lineFile: 'slices.ndjson',
  itemName: 'slice',
  items: 'slices',
  runSchema: microRunSchema,
  itemSchema: microSliceSchema,
  idOf: (slice) => slice.sequence,
});
