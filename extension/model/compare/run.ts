import * as z from 'zod/mini';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { trustSchema } from '../run/trust-schema.ts';
import { trendSchema } from './trend.ts';

const factorsSchema = z.record(z.string(), z.string());

/** The readings of one side of a compared pair. */
export const comparedReadingsSchema = z.object({
  /** In the unit of the metric. */
  values: z.array(z.number()),
  /** Number of the browser launch of each value; null: unknown. Launch numbers of two runs are always distinct. */
  launches: z.array(z.nullable(z.number())),
  /** Number of samples excluded because of a flag. */
  flagged: z.number(),
  /** Measured read delay of the device, ms; null: not measured. */
  measuredDelayMs: z.nullable(z.number()),
});
export type ComparedReadings = z.infer<typeof comparedReadingsSchema>;

/** Two groups of readings that are compared: a line of groups.ndjson. */
export const comparedPairSchema = z.object({
  /** Position in the comparison, from 0. */
  place: z.number(),
  /** The factors that both groups share: delay -> 5 ms. */
  factors: factorsSchema,
  against: comparedReadingsSchema,
  of: comparedReadingsSchema,
});
export type ComparedPair = z.infer<typeof comparedPairSchema>;

/** One side of a comparison. */
export const sideSchema = z.object({
  /** Name in sentences. */
  name: z.string(),
  /** The run or file of this side, as the user named it. */
  source: z.string(),
  /** The selection of its groups; empty: all groups. */
  selection: factorsSchema,
  /** Description for people: browser and time of the measurement. */
  about: z.string(),
  /** Grade of its run; absent: unknown. */
  trust: z.optional(trustSchema),
});
export type Side = z.infer<typeof sideSchema>;

/** A metric of a run: one value per sample. */
const metricSchema = z.object({
  /** Name on the command line: `readMs`. */
  name: z.string(),
  /** Name in headings: `Read time`. */
  title: z.string(),
  better: z.enum(['lower', 'higher']),
  /** Words for sentences: the unit, what a greater and a lesser value is (`slower`, `faster`), and the plural of a sample. */
  measure: z.object({
    unit: z.string(),
    greater: z.string(),
    lesser: z.string(),
    samples: z.string(),
  }),
});
export type Metric = z.infer<typeof metricSchema>;

/** The metric, the two sides and the margin of a comparison. */
export const comparisonPlanSchema = z.object({
  /** Experiment of the compared runs. */
  experiment: z.string(),
  metric: metricSchema,
  /** Equivalence margin, as a share. */
  margin: z.number(),
  /** Significance level of the verdicts; absent: 5 %. */
  alpha: z.optional(z.number()),
  /** The baseline A. */
  against: sideSchema,
  /** B, which is compared with A. */
  of: sideSchema,
  /** Why groups of one run get no verdict, as a clause; absent: they get one. */
  inconclusive: z.optional(z.string()),
  /** Conditions that the user declared as intended to differ. */
  across: z.array(z.string()),
  seed: z.number(),
});

/** A difference between the conditions of the two sides. */
const differenceSchema = z.object({
  /** For example `chromium`, `kernel`, `storage`. */
  condition: z.string(),
  /** The values of A and of B. */
  against: z.string(),
  of: z.string(),
  /**
   * True when this difference alone may change the measured values. It must then be the declared subject of the
   * comparison; otherwise the comparison is inconclusive.
   */
  matters: z.boolean(),
});
export type ConditionDifference = z.infer<typeof differenceSchema>;

/** run.json of a comparison. Its environment is that of B; `differences` has the differences from A's. */
export const comparisonRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('comparison'),
  plan: comparisonPlanSchema,
  /** Conditions that differ between the sides. */
  differences: z.array(differenceSchema),
  /** Groups that only one side has. */
  unmatched: z.array(z.string()),
  /** For a comparison with a baseline: the metric over the runs that the baseline keeps. */
  trend: z.optional(trendSchema),
});
export type ComparisonRun = z.infer<typeof comparisonRunSchema>;

/** A comparison with all its readings, so that it can be analysed again without the original runs. */
export type ComparisonDocument = RunWith<'pairs', ComparisonRun, ComparedPair>;

/** Reads a saved comparison. */
export const savedComparison = savedMeasurements({
  lineFile: 'groups.ndjson',
  itemName: 'pair of groups',
  items: 'pairs',
  runSchema: comparisonRunSchema,
  itemSchema: comparedPairSchema,
  idOf: ({ place }) => place,
});
