import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { launchHistogramsSchema, withHistogramFlags } from '../run/cache-histograms.ts';
import { pageCacheStates } from '../run/page-cache-state.ts';
import { sampleSchema, storageKinds } from '../run/sample.ts';
import { tracedFile, tracedKey, tracedReadSchema } from '../explain/traced-read.ts';
import { settingsSchema, variantSchema } from '../run/variant.ts';

/** How an arm's response lay in the cache before the reads began. */
export const storedEntrySchema = z.object({
  arm: z.enum(codings),
  /** Name of the variant whose cache it lies in; absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Name of the workload; absent in a run of one. */
  workload: z.optional(z.string()),
  /** Path and query of the resource on the origin. */
  url: z.string(),
  /** Body bytes that crossed the wire when the cache was filled. */
  wireBytes: z.number(),
  /** Size of the cache entry's file; null when it could not be found (unknown). */
  storedBytes: z.nullable(z.number()),
  decodedBytes: z.number(),
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;

/** What is slow beside the HTTP cache: the dictionaries and the rest of the profile lie elsewhere by themselves. */
export const slowParts = ['cache', 'dictionaries', 'profile'] as const;
export type SlowPart = (typeof slowParts)[number];

/** What the slow device does to requests beside its read delay. What is absent it does not do. */
export const deviceFaultsSchema = z.object({
  /** Delay of each write and each flush, ms. */
  writeDelayMs: z.optional(z.number()),
  flushDelayMs: z.optional(z.number()),
  bandwidthBytesPerSecond: z.optional(z.number()),
  /** Share of the device's reads that fail, 0 to 1, while reads are timed. */
  badReadRate: z.optional(z.number()),
});
export type DeviceFaults = z.infer<typeof deviceFaultsSchema>;

/** When to stop sampling; without it every cell gets `samplesPerCell`. */
export const stopRuleSchema = z.object({
  /** Half width of a cell's 95 % interval, as a share of its median. */
  precision: z.number(),
  /** No batch is begun after this time, ms; absent: no limit. */
  maxTimeMs: z.optional(z.number()),
  /** Equivalence margin of comparisons, as a share. */
  margin: z.number(),
});
export type StopRule = z.infer<typeof stopRuleSchema>;

/** The bytes that a sweep reads. */
export const plannedWorkloadSchema = z.object({
  name: z.string(),
  /** Where the bytes come from, for example `pdfjs-dist 5.3.31 -> 5.4.54`. */
  title: z.string(),
  resourceBytes: z.number(),
  resourceSha256: z.string(),
  dictionaryBytes: z.number(),
  /** Paths of the user's own pair; absent for a workload that is known by its name. */
  files: z.optional(z.object({ dictionary: z.string(), resource: z.string() })),
  /** The arms it is read in; absent: those of the plan. */
  arms: z.optional(z.array(z.enum(codings))),
  /**
   * Absent: a workload of its own. Otherwise one of the two things that a hit would have to read if `of` were stored as DCB:
   * the DCB body itself, or its dictionary.
   */
  part: z.optional(z.object({ of: z.string(), is: z.enum(['delta', 'dictionary']) })),
});
export type PlannedWorkload = z.infer<typeof plannedWorkloadSchema>;

/** A disk that is not there, for which a run's times are to be predicted. */
export const plannedDiskSchema = z.object({
  name: z.string(),
  /** Time of one small read when nothing else is asked of it, ms. */
  delayMs: z.number(),
  bandwidthBytesPerSecond: z.number(),
  /** Absent: as the run's. */
  readAheadKiB: z.optional(z.number()),
});
export type PlannedDisk = z.infer<typeof plannedDiskSchema>;

/** What a content coding costs the processor, apart from any browser: the libraries that Chromium uses too, in Node. */
export const codingCostSchema = z.object({
  /** Name of the workload. */
  workload: z.string(),
  coding: z.enum(codings),
  encodedBytes: z.number(),
  /** Medians of so many runs, at least. */
  runs: z.number(),
  encodeMs: z.number(),
  decodeMs: z.number(),
});
export type CodingCost = z.infer<typeof codingCostSchema>;

export const sweepPlanSchema = z.object({
  arms: z.array(z.enum(codings)),
  /** Read delays of the slow device, ms, ascending; the control comes first and is not listed. */
  delaysMs: z.array(z.number()),
  storage: z.enum(storageKinds),
  delayWrites: z.boolean(),
  /** Timed reads of each cell; with a stop rule the floor, which every cell gets at least. */
  samplesPerCell: z.number(),
  /** Launches that these are spread over. */
  launchesPerPoint: z.number(),
  /** True: each launch on the slow device reads at every delay, so that what a launch does cancels in slopes. Absent: at one. */
  crossed: z.optional(z.boolean()),
  seed: z.number(),
  /** What every launch and every slow disk of the run has in common; absent: nothing special. */
  settings: z.optional(settingsSchema),
  /** Absent: the run has no variants. A variant's settings win over the run's. */
  variants: z.optional(z.array(variantSchema)),
  /**
   * A browser that recompresses dictionary-compressed responses before it stores them is measured too (recompressed.ts).
   * Absent: not, or a plan with variants.
   */
  recompress: z.optional(z.boolean()),
  /** Default: the cache alone. */
  slow: z.optional(z.array(z.enum(slowParts))),
  device: z.optional(deviceFaultsSchema),
  stopRule: z.optional(stopRuleSchema),
  /** What the page cache holds before each timed read; absent: `cold`. */
  state: z.optional(z.enum(pageCacheStates)),
  /** One traced read of each cell, with the system calls too or not; absent: none. */
  traces: z.optional(z.object({ syscalls: z.boolean() })),
  workload: plannedWorkloadSchema,
  /** All workloads of the run, `workload` being the first; absent: that one alone. */
  workloads: z.optional(z.array(plannedWorkloadSchema)),
  /** Each launch ends with one first load with a dictionary and one without; absent: not. */
  firstLoads: z.optional(z.boolean()),
  /** The run is to be explained: by the model, its predictions, and what a fix would bring. Absent: not. */
  explain: z.optional(z.boolean()),
  /** Further disks to predict times for; absent: those of disk-profile.ts alone. */
  disks: z.optional(z.array(plannedDiskSchema)),
  /** Shown in a window; absent: not. */
  headful: z.optional(z.boolean()),
});
export type SweepPlan = z.infer<typeof sweepPlanSchema>;

/** run.json of a sweep. */
export const sweepRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('sweep'),
  plan: sweepPlanSchema,
  stored: z.array(storedEntrySchema),
  /** What populating the cache showed of the browser's recompression (recompressed.ts); absent: not asked for. */
  recompression: z.optional(
    z.object({
      works: z.boolean(),
      storedBytes: z.nullable(z.number()),
      decodedBytes: z.number(),
    }),
  ),
  /** The browser's own histograms of each launch; absent in runs of versions that did not read them. */
  histograms: z.optional(z.array(launchHistogramsSchema)),
  /** Absent in a run that did not ask. */
  codingCosts: z.optional(z.array(codingCostSchema)),
  /** Where samples are taken: the browser and the disk of each storage in each variant. */
  places: z.optional(
    z.array(
      z.object({
        storage: z.enum(storageKinds),
        variant: z.optional(z.string()),
        /** For example `Chrome/156.0.8078.79`. */
        browser: z.string(),
        /** Its path with size and time of the last change, which tell two builds of one version apart. */
        binary: z.string(),
        disk: z.string(),
      }),
    ),
  ),
  /** Looks at the comparisons so far, under a stop rule (statistics/stop-rule.ts); absent before the first. */
  looks: z.optional(z.array(z.number())),
  /** What ended the sampling under a stop rule; absent without one, and in a run that was not sampled to its end. */
  stopped: z.optional(
    z.object({
      reason: z.enum(['precision reached', 'comparison decided', 'max time', 'max samples']),
      /** Readings of the smallest cell at each look at the comparisons (statistics/stop-rule.ts). */
      looks: z.array(z.number()),
    }),
  ),
});
export type SweepRun = z.infer<typeof sweepRunSchema>;

/** A sweep with its samples. */
export const sweepDocumentSchema = z.object({
  run: sweepRunSchema,
  samples: z.array(sampleSchema),
  /** One traced read a cell; absent in a run that did not ask for any. */
  traced: z.optional(z.array(tracedReadSchema)),
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
  beside: {
    lineFile: tracedFile,
    itemName: 'traced read',
    itemSchema: tracedReadSchema,
    idOf: tracedKey,
    repeated: 'last',
    of: ({ traced }) => traced,
  },
  join: (run, samples, traced) => ({
    run,
    samples: withHistogramFlags(samples, run.histograms),
    ...(traced && { traced }),
  }),
  itemsOf: ({ samples }) => samples,
});
