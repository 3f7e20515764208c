import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { leftEvidenceSchema } from '../features/evidence.ts';
import { runBaseSchema } from '../run/base.ts';
import { cellKeyOf } from '../run/cell.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { variantSchema } from '../run/variant.ts';
import { storingMeasureNames } from './measure.ts';

/** Content of a body: source code, or random bytes, which do not compress. */
export const storingBodies = ['text', 'random'] as const;
export type StoringBody = (typeof storingBodies)[number];

/** Traffic that is replayed in a cache with a limit. Every key has a URL of its own with the same response. */
const storingReplaySchema = z.object({
  /** Requests to each browser; the second half is measured. */
  requests: z.number(),
  /** Requests a second. */
  rateHz: z.number(),
  /** Zipf exponent: key k is drawn with a probability proportional to k^-skew. */
  skew: z.number(),
  /** Number of keys. */
  keys: z.number(),
  /** Limit of the cache, bytes. */
  limitBytes: z.number(),
});
export type StoringReplay = z.infer<typeof storingReplaySchema>;

export const storingPlanSchema = z.object({
  /** The browsers under comparison; the first is the baseline. */
  variants: z.array(variantSchema),
  /** Content codings, each with a dictionary. */
  codings: z.array(z.enum(codings)),
  /** Decoded bytes of the responses, rising. */
  sizesBytes: z.array(z.number()),
  bodies: z.array(z.enum(storingBodies)),
  /** Size of the ten responses that are stored at the same time, and of the entries that are counted, bytes. */
  tenBytes: z.number(),
  /** Limit of the cache whose entries are counted, bytes. */
  limitBytes: z.number(),
  /** Absent: no traffic is replayed. */
  replay: z.optional(storingReplaySchema),
  /** Entries of a cache in which absent ones are looked for, that is opened again and emptied; absent: none. */
  entries: z.optional(z.number()),
  /** Passes: launches of each variant. */
  launches: z.number(),
  seed: z.number(),
});
export type StoringPlan = z.infer<typeof storingPlanSchema>;

/** Why a line is kept but excluded from the statistics. */
export const storingFlags = [
  /** The origin did not send each first load once, in the coding of the cell. */
  'origin-unasked',
  /** A hit reached the origin. */
  'origin-touched',
  /** The value cannot be read on this system, or the entry is not in the cache. */
  'unknown',
  /** Every response fitted into the limited cache, so the number of entries is no limit. */
  'not-full',
  /** The browser counted another number of hits (UMA) than follows from the origin's log. */
  'histograms',
  /** A process of the browser, the harness or the machine did not run during the measurement. */
  'suspended',
] as const;
export type StoringFlag = (typeof storingFlags)[number];

/** The values of one measure of one cell, of one browser in one pass. */
export const storingReadingSchema = z.object({
  /** Position in the run, from 0. */
  sequence: z.number(),
  /**
   * From 0. The browsers of all variants are open in the same pass and take each cell in turn, so that their readings are
   * paired.
   */
  pass: z.number(),
  /** Name of the variant. */
  variant: z.string(),
  measure: z.enum(storingMeasureNames),
  body: z.enum(storingBodies),
  /** Decoded bytes of the response. */
  bytes: z.number(),
  coding: z.enum(codings),
  /** In the unit of the measure. One for each load; of processor time the mean of the loads; empty: unknown. */
  values: z.array(z.number()),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  flags: z.array(z.enum(storingFlags)),
});
export type StoringReading = z.infer<typeof storingReadingSchema>;

/** The readings of one cell are those of all variants and passes. */
export const storingCellKey = cellKeyOf(
  z.pick(storingReadingSchema, { measure: true, body: true, bytes: true, coding: true }),
);

/** run.json of the experiment. */
export const storingRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('storing'),
  plan: storingPlanSchema,
  /** Evidence that the presets of each variant are in effect; absent: an older version did not look. */
  evidence: z.optional(z.array(z.extend(leftEvidenceSchema, { variant: z.string() }))),
});
export type StoringRun = z.infer<typeof storingRunSchema>;

/** The run with its readings. */
export type StoringRunDocument = RunWith<'readings', StoringRun, StoringReading>;

/** How a saved run is read. */
export const savedStoring = savedMeasurements({
  lineFile: 'readings.ndjson',
  itemName: 'reading',
  items: 'readings',
  runSchema: storingRunSchema,
  itemSchema: storingReadingSchema,
  idOf: ({ sequence }) => sequence,
});
