import * as z from 'zod/mini';
import { codings } from './coding.ts';
import { runBaseSchema } from './run-base.ts';
import { savedExperiment } from './run-experiment.ts';
import { sampleSchema, storageKinds } from './sample.ts';

/** How an arm's response lay in the cache before the reads began. */
export const storedEntrySchema = z.object({
  arm: z.enum(codings),
  /** Path and query of the resource on the origin. */
  url: z.string(),
  /** Body bytes that crossed the wire when the cache was filled. */
  wireBytes: z.number(),
  /** Size of the cache entry's file; null when it could not be found (unknown). */
  storedBytes: z.nullable(z.number()),
  decodedBytes: z.number(),
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;

export const sweepPlanSchema = z.object({
  arms: z.array(z.enum(codings)),
  /** Read delays of the slow device, ms, ascending; the control comes first and is not listed. */
  delaysMs: z.array(z.number()),
  storage: z.enum(storageKinds),
  delayWrites: z.boolean(),
  samplesPerCell: z.number(),
  launchesPerPoint: z.number(),
  seed: z.number(),
  workload: z.object({
    name: z.string(),
    /** Where the bytes come from, for example `pdfjs-dist 5.3.31 -> 5.4.54`. */
    title: z.string(),
    resourceBytes: z.number(),
    resourceSha256: z.string(),
    dictionaryBytes: z.number(),
  }),
});
export type SweepPlan = z.infer<typeof sweepPlanSchema>;

/** run.json of a sweep. */
export const sweepRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('sweep'),
  plan: sweepPlanSchema,
  stored: z.array(storedEntrySchema),
});
export type SweepRun = z.infer<typeof sweepRunSchema>;

/** A sweep with its samples. */
export const sweepDocumentSchema = z.object({
  run: sweepRunSchema,
  samples: z.array(sampleSchema),
});
export type SweepRunDocument = z.infer<typeof sweepDocumentSchema>;

/** How a saved sweep is read. */
export const savedSweep = savedExperiment({
  lineFile: 'samples.ndjson',
  itemName: 'sample',
  documentSchema: sweepDocumentSchema,
  runSchema: sweepRunSchema,
  itemSchema: sampleSchema,
  idOf: (sample) => sample.sequence,
  // A line that stands there twice is no second sample.
  repeated: 'first',
  join: (run, samples) => ({ run, samples }),
  itemsOf: ({ samples }) => samples,
});
