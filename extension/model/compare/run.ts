import * as z from 'zod/mini';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { trendSchema } from './trend.ts';

const factorsSchema = z.record(z.string(), z.string());

/** The readings of one side of a compared pair. */
export const comparedReadingsSchema = z.object({
  /** In the unit of the metric. */
  values: z.array(z.number()),
  /** Number of the browser launch of each value; null: unknown. Launches of two runs never share a number. */
  launches: z.array(z.nullable(z.number())),
  /** Samples left out for a flag. */
  flagged: z.number(),
  /** Read delay of the device as it was measured, ms; null: not measured. */
  measuredDelayMs: z.nullable(z.number()),
});
export type ComparedReadings = z.infer<typeof comparedReadingsSchema>;

/** Two groups of readings that are compared: a line of groups.ndjson. */
export const comparedPairSchema = z.object({
  /** Position in the comparison, from 0. */
  place: z.number(),
  /** What both have in common: delay -> 5 ms. */
  factors: factorsSchema,
  against: comparedReadingsSchema,
  of: comparedReadingsSchema,
});
export type ComparedPair = z.infer<typeof comparedPairSchema>;

/** One of the two sides. */
export const sideSchema = z.object({
  /** As sentences call it. */
  name: z.string(),
  /** The run or file it comes from, as the user named it. */
  source: z.string(),
  /** What its groups were chosen by; empty: all of them. */
  selection: factorsSchema,
  /** In words, for a reader: browser, when it was measured. */
  about: z.string(),
});
export type Side = z.infer<typeof sideSchema>;

export const comparisonPlanSchema = z.object({
  experiment: z.string(),
  metric: z.object({
    name: z.string(),
    title: z.string(),
    better: z.enum(['lower', 'higher']),
    measure: z.object({
      unit: z.string(),
      greater: z.string(),
      lesser: z.string(),
      samples: z.string(),
    }),
  }),
  /** Equivalence margin, as a share. */
  margin: z.number(),
  /** The baseline, A, and what is held against it, B. */
  against: sideSchema,
  of: sideSchema,
  /** Conditions that the user said may differ: they are what the comparison is about. */
  across: z.array(z.string()),
  seed: z.number(),
});
export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;

/** run.json of a comparison. Its environment is that of B; where A's is another, `differences` says so. */
export const comparisonRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('comparison'),
  plan: comparisonPlanSchema,
  differences: z.array(
    z.object({
      condition: z.string(),
      against: z.string(),
      of: z.string(),
      matters: z.boolean(),
    }),
  ),
  /** Groups that only one side has. */
  unmatched: z.array(z.string()),
  /** Of a comparison with a baseline: how the metric went over the runs that it keeps. */
  trend: z.optional(trendSchema),
});
export type ComparisonRun = z.infer<typeof comparisonRunSchema>;

/** A comparison with all readings that it rests on: it can be judged again without the runs that it came from. */
export const comparisonDocumentSchema = z.object({
  run: comparisonRunSchema,
  pairs: z.array(comparedPairSchema),
});
export type ComparisonDocument = z.infer<typeof comparisonDocumentSchema>;

/** How a saved comparison is read. */
export const savedComparison = savedExperiment({
  lineFile: 'groups.ndjson',
  itemName: 'pair of groups',
  documentSchema: comparisonDocumentSchema,
  runSchema: comparisonRunSchema,
  itemSchema: comparedPairSchema,
  idOf: ({ place }) => place,
  repeated: 'first',
  join: (run, pairs) => ({ run, pairs }),
  itemsOf: ({ pairs }) => pairs,
});
