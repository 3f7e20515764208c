import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { leftEvidenceSchema } from '../features/evidence.ts';
import { linkedRunFields, linkSchema } from '../network/link.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { launchHistogramsSchema, withHistogramFlags } from '../run/cache-histograms.ts';
import { pageCacheStates } from '../run/page-cache-state.ts';
import { sampleSchema, storageKinds } from '../run/sample.ts';
import { tracedFile, tracedKey, tracedReadSchema } from '../explain/traced-read.ts';
import { settingsSchema, variantSchema } from '../run/variant.ts';
import { defaultMargin } from '../statistics/verdict.ts';
import { savedSummarySchema } from './saved-summary.ts';

/** The cache entry of an arm's response before the reads. */
export const storedEntrySchema = z.object({
  arm: z.enum(codings),
  /** Name of the variant that the cache belongs to; absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Name of the workload; absent in a run of a single workload. */
  workload: z.optional(z.string()),
  /** Path and query of the resource on the origin. */
  url: z.string(),
  /** Body bytes on the wire when the cache was populated. */
  wireBytes: z.number(),
  /** Size of the cache entry's file; null when the file was not found (unknown). */
  storedBytes: z.nullable(z.number()),
  decodedBytes: z.number(),
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;

/**
 * The parts on the slow device. The default is the HTTP cache alone: dictionaries and the rest of the profile are then
 * on other storage.
 */
export const slowParts = ['cache', 'dictionaries', 'profile'] as const;
export type SlowPart = (typeof slowParts)[number];

/** Further effects of the slow device besides its read delay. An absent field: no such effect. */
export const deviceFaultsSchema = z.object({
  /** Delay of each write and each flush, ms. */
  writeDelayMs: z.optional(z.number()),
  flushDelayMs: z.optional(z.number()),
  bandwidthBytesPerSecond: z.optional(z.number()),
  /** Share of the device's reads that fail, 0 to 1, while reads are timed. */
  badReadRate: z.optional(z.number()),
});
export type DeviceFaults = z.infer<typeof deviceFaultsSchema>;

/**
 * A distribution of read latencies: the file that `--profile` names. The device checks its other fields
 * (harness/storage/latency-profile.ts).
 */
export const drawnProfileSchema = z.looseObject({
  name: z.string(),
  /** Present when latencies depend on each other. */
  stalls: z.optional(z.unknown()),
  bandwidthBytesPerSecond: z.optional(z.number()),
});
export type DrawnProfile = z.infer<typeof drawnProfileSchema>;

/** Rule to stop sampling; without it every cell gets `samplesPerCell`. */
export const stopRuleSchema = z.object({
  /** Half-width of a cell's 95 % interval, as a share of its median. */
  precision: z.number(),
  /** No batch starts after this time, ms; absent: no limit. */
  maxTimeMs: z.optional(z.number()),
  /** Equivalence margin of comparisons, as a share. */
  margin: z.number(),
});
export type StopRule = z.infer<typeof stopRuleSchema>;

/** The resource and dictionary that a sweep reads. */
export const plannedWorkloadSchema = z.object({
  name: z.string(),
  /** Source of the bytes, for example `pdfjs-dist 5.3.31 -> 5.4.54`. */
  title: z.string(),
  resourceBytes: z.number(),
  resourceSha256: z.string(),
  dictionaryBytes: z.number(),
  /** Paths of the user's own files; absent for a built-in workload, which is identified by its name. */
  files: z.optional(z.object({ dictionary: z.string(), resource: z.string() })),
  /** The arms of this workload; absent: those of the plan. */
  arms: z.optional(z.array(z.enum(codings))),
});
export type PlannedWorkload = z.infer<typeof plannedWorkloadSchema>;

/** An unmeasured disk for which read times are predicted. */
export const plannedDiskSchema = z.object({
  name: z.string(),
  /** Time of one small read on the idle disk, ms. */
  delayMs: z.number(),
  bandwidthBytesPerSecond: z.number(),
  /** Absent: the same as the run's. */
  readAheadKiB: z.optional(z.number()),
});
export type PlannedDisk = z.infer<typeof plannedDiskSchema>;

/** CPU time of a content coding, measured outside the browser in Node, with the libraries that Chromium uses too. */
export const codingCostSchema = z.object({
  /** Name of the workload. */
  workload: z.string(),
  coding: z.enum(codings),
  encodedBytes: z.number(),
  /** Minimum number of runs behind the medians. */
  runs: z.number(),
  /** Median processor time of encoding and of decoding the resource once, ms. */
  encodeMs: z.number(),
  decodeMs: z.number(),
});
export type CodingCost = z.infer<typeof codingCostSchema>;

/** The plan of a sweep. */
export const sweepPlanSchema = z.object({
  arms: z
    .array(z.enum(codings))
    .check(z.refine((arms) => new Set(arms).size === arms.length, 'an arm is listed twice')),
  /** Read delays of the slow device, ms, ascending; the control comes first and is not listed. */
  delaysMs: z.array(z.number()),
  /** Also reads on the slow device while it draws its read latencies from this profile; absent: none. */
  profile: z.optional(drawnProfileSchema),
  storage: z.enum(storageKinds),
  /** True: writes and flushes are delayed like reads. */
  delayWrites: z.boolean(),
  /** Timed reads of each cell; with a stop rule, the minimum of each cell. */
  samplesPerCell: z.number(),
  /** Number of launches that the reads are spread over. */
  launchesPerPoint: z.number(),
  /**
   * True: each launch on the slow device reads at every delay, so that effects of a launch cancel in slopes. Absent:
   * each launch reads at one delay.
   */
  crossed: z.optional(z.boolean()),
  seed: z.number(),
  /** Settings of every launch and every slow disk of the run; absent: defaults. */
  settings: z.optional(settingsSchema),
  /** Absent: the run has no variants. A variant's settings override the run's. */
  variants: z.optional(z.array(variantSchema)),
  /**
   * True: a browser that recompresses dictionary-compressed responses before it stores them is measured too
   * (recompressed.ts). Absent: it is not, or the plan has variants.
   */
  recompress: z.optional(z.boolean()),
  /** What is on the slow device; absent: only the cache. */
  slow: z.optional(z.array(z.enum(slowParts))),
  device: z.optional(deviceFaultsSchema),
  stopRule: z.optional(stopRuleSchema),
  /** Equivalence margin of comparisons, as a share; absent: that of the stop rule, or the default. */
  margin: z.optional(z.number()),
  /** State of the page cache before each timed read; absent: `cold`. */
  state: z.optional(z.enum(pageCacheStates)),
  /** One traced read of each cell, with or without system calls; absent: none. */
  traces: z.optional(z.object({ syscalls: z.boolean() })),
  workload: plannedWorkloadSchema,
  /** All workloads of the run, `workload` first; absent: only `workload`. */
  workloads: z.optional(z.array(plannedWorkloadSchema)),
  /** True: each launch ends with one first load with a dictionary and one without; absent: no first loads. */
  firstLoads: z.optional(z.boolean()),
  /** The emulated link to the origin, over which first loads are timed; absent: loopback. */
  link: z.optional(linkSchema),
  /** True: the run is explained with the model, its predictions, and the effect of a fix. Absent: it is not. */
  explain: z.optional(z.boolean()),
  /** Further disks to predict times for; absent: only those of disk-profile.ts. */
  disks: z.optional(z.array(plannedDiskSchema)),
  /** True: the browser is shown in a window; absent: headless. */
  headful: z.optional(z.boolean()),
});
export type SweepPlan = z.infer<typeof sweepPlanSchema>;

/** The equivalence margin of the comparisons of a plan, as a share. */
export function marginOf({
  margin = defaultMargin,
  stopRule,
}: Pick<SweepPlan, 'margin' | 'stopRule'>): number {
  return stopRule?.margin ?? margin;
}

/** run.json of a sweep. */
export const sweepRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('sweep'),
  ...linkedRunFields,
  plan: sweepPlanSchema,
  stored: z.array(storedEntrySchema),
  /** Whether the browser recompressed, found when the cache was populated (recompressed.ts); absent: not requested. */
  recompression: z.optional(
    z.object({
      works: z.boolean(),
      storedBytes: z.nullable(z.number()),
      decodedBytes: z.number(),
    }),
  ),
  /** Direct 4 KiB reads of the device while it drew from the plan's profile; absent in a run without a profile. */
  profileReads: z.optional(
    z.array(
      z.object({
        /** Name of the variant that the disk belongs to; absent in a run without variants. */
        variant: z.optional(z.string()),
        /** Time of each read, ms, in the order taken. */
        timesMs: z.array(z.number()),
        takenAt: z.string(),
      }),
    ),
  ),
  /** The browser's own histograms of each launch; absent in runs of versions that did not read them. */
  histograms: z.optional(z.array(launchHistogramsSchema)),
  /** Absent in a run without this measurement. */
  codingCosts: z.optional(z.array(codingCostSchema)),
  /** The measured setups: the browser and the disk of each storage in each variant. */
  places: z.optional(
    z.array(
      z.object({
        storage: z.enum(storageKinds),
        variant: z.optional(z.string()),
        /** For example `Chrome/156.0.8078.79`. */
        browser: z.string(),
        /** Path of the binary with its size and modification time, which distinguish two builds of one version. */
        binary: z.string(),
        disk: z.string(),
        /** Evidence that presets are in effect; absent: an older version did not look. */
        evidence: z.optional(leftEvidenceSchema),
      }),
    ),
  ),
  /** Interim looks at the comparisons so far, under a stop rule (statistics/stop-rule.ts); absent before the first. */
  looks: z.optional(z.array(z.number())),
  /**
   * Why the sampling ended under a stop rule; absent without a stop rule, and in a run whose sampling did not finish.
   */
  stopped: z.optional(
    z.object({
      reason: z.enum(['precision reached', 'comparison decided', 'max time', 'max samples']),
      /** Readings of the smallest cell at each interim look (statistics/stop-rule.ts). */
      looks: z.array(z.number()),
    }),
  ),
});
export type SweepRun = z.infer<typeof sweepRunSchema>;

/** A sweep with its samples. */
export const sweepDocumentSchema = z.object({
  run: sweepRunSchema,
  samples: z.array(sampleSchema),
  /** One traced read per cell; absent in a run without traced reads. */
  traced: z.optional(z.array(tracedReadSchema)),
  /** The results of a run with too many samples for a report and the panel; `samples` is then empty. */
  summary: z.optional(savedSummarySchema),
});
export type SweepRunDocument = z.infer<typeof sweepDocumentSchema>;

/** Reads a saved sweep. */
export const savedSweep = savedExperiment({
  lineFile: 'samples.ndjson',
  itemName: 'sample',
  documentSchema: sweepDocumentSchema,
  runSchema: sweepRunSchema,
  itemSchema: sampleSchema,
  idOf: (sample) => sample.sequence,
  // A repeated line is not a second sample.
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
  counted: ({ summary }) => summary?.counts.samples ?? null,
});
