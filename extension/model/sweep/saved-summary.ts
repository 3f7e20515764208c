import * as z from 'zod/mini';
import { codings } from '../coding.ts';
import { trustSchema } from '../run/trust-schema.ts';
import { storageKinds } from '../run/sample.ts';

const known = z.number();
const orUnknown = z.nullable(known);
const series = {
  arm: z.enum(codings),
  variant: z.optional(z.string()),
  workload: z.optional(z.string()),
};
const pair = {
  between: z.enum(['arms', 'variants']),
  of: z.looseObject(series),
  against: z.looseObject(series),
};
const place = { storage: z.enum(storageKinds), requestedDelayMs: known };
const spread = { lowMs: orUnknown, highMs: orUnknown };
const interval = z.nullable(z.object({ low: known, high: known }));

const device = {
  /**
   * Median number of device reads per cached read; null when no counter could be read, or other programs use the device
   * too.
   */
  deviceReads: orUnknown,
  /** Median bytes read from the device per cached read; null: unknown. */
  deviceReadBytes: orUnknown,
};

const armSchema = z.object({
  ...series,
  /** Ends of the median's 95 % interval, ms; null with fewer than 6 samples. */
  ...spread,
  ...device,
  /** Number of samples in the statistics. */
  samples: known,
  /** Timed samples excluded because the witnesses disagree. */
  flagged: known,
  /**
   * Geometric mean of the launches' median read times, ms (statistics/launch-level.ts). null without usable samples:
   * unknown, not 0.
   */
  medianMs: orUnknown,
  /** Median CPU time of the browser's network service per cached read, with its 95 % interval; null: unknown. */
  networkServiceMs: z.nullable(z.object({ ...spread, medianMs: known })),
});
/** What is checked of one cell. */
export type SavedArm = z.infer<typeof armSchema>;

const fitSchema = z.object({
  ...series,
  /** Over all slow points. */
  ...device,
  /** Size of the cache entry; null: unknown. */
  storedBytes: orUnknown,
  /** Body bytes on the wire; null when the run ended before it populated the cache. */
  wireBytes: orUnknown,
  decodedBytes: orUnknown,
});
/** What is checked of the line fitted to a series. */
export type SavedFit = z.infer<typeof fitSchema>;

const tailSchema = z.object({ medianMs: orUnknown, p95Ms: orUnknown, p99Ms: orUnknown });
/** Median and tail of times, ms; null: too few times to say. */
export type Tail = z.infer<typeof tailSchema>;

const designSchema = z.object({
  machines: known,
  /** On each machine. */
  launches: known,
  /** Of each arm at each point, in a launch. */
  reads: known,
  /** Sum over all machines, without start and populating, ms. */
  machineTimeMs: known,
});
/** Size of a run on many machines. */
export type MachineDesign = z.infer<typeof designSchema>;

const componentsSchema = z.object({ machine: known, launch: known, read: known });
/**
 * Variances of an effect (difference of mean logarithms) by their source: machine, launch on a machine, and read in a
 * launch (one read of each group). The mean of `k` machines with `l` launches of `n` reads has the variance
 * `(machine + (launch + read / n) / l) / k`.
 */
export type VarianceComponents = z.infer<typeof componentsSchema>;

const varianceSchema = z.object({
  /** Of the logarithm of the effect. */
  components: componentsSchema,
  /** The design of this run: medians where machines or launches differ. null: the cost of a launch is unknown. */
  now: z.nullable(designSchema),
  /**
   * The design with the least machine time whose interval for any machine is half as wide. null: unknown with fewer than
   * 4 machines or without the cost of a launch, or out of reach (machine-design.ts).
   */
  halved: z.nullable(designSchema),
});
/** Where the variance of a pair's effect comes from, and what would halve its interval. */
export type MachineVariance = z.infer<typeof varianceSchema>;

const effectSchema = z.object({
  /** Relative difference of the first group from the second: 0.1 is 10 % above. */
  relative: known,
  /** Valid for any launch on this machine; null: a group has only one launch. */
  interval,
  machine: z.string(),
  /** Launches of its smaller group. */
  launches: known,
});
/** The effect on one machine. An influence of the machine on both groups cancels. */
export type MachineEffect = z.infer<typeof effectSchema>;

const pooledSchema = z.object({
  relative: known,
  /** null: with fewer than 4 machines, when the interval of one of them is unknown. */
  interval,
  machines: z.array(effectSchema),
  /**
   * `any machine`: the interval is valid for other machines of the same kind (Student's t over machines, degrees of
   * freedom: machines - 1). `these machines`: with fewer than 4 machines, the interval is valid only for these.
   */
  scope: z.enum(['any machine', 'these machines']),
  /**
   * Share of the variance between the machines' effects that is not due to chance within machines, 0 to 1 (Higgins and
   * Thompson 2002); null: unknown, with fewer than 2 machines with a known error, or only 2 launches on one of them.
   */
  heterogeneity: orUnknown,
  /**
   * Prediction interval for the effect on one further machine (Higgins, Thompson and Spiegelhalter 2009); null with
   * fewer than 4 machines.
   */
  prediction: interval,
});
/** The effect over all machines. */
export type PooledEffect = z.infer<typeof pooledSchema>;

const gaps = z.array(
  z.looseObject({
    ...pair,
    ...spread,
    ms: orUnknown,
    verdict: z.looseObject({
      outcome: z.enum(['DIFFERENT', 'SAME', 'UNKNOWN']),
      direction: z.nullable(z.enum(['greater', 'lesser'])),
      margin: known,
    }),
    sentence: z.string(),
  }),
);

/**
 * The summary of a sweep (summary.ts) that a file holds in place of its samples: what the report and the panel show is
 * checked, and the rest is kept as it is.
 */
export const savedSummarySchema = z.looseObject({
  points: z.array(
    z.looseObject({
      ...place,
      measuredDelayMs: z.nullable(z.object({ p50: known, p95: known })),
      disks: z.optional(z.array(z.object({ variant: z.optional(z.string()), p50: orUnknown }))),
      delayOff: z.boolean(),
      arms: z.array(z.looseObject(armSchema.shape)),
      gaps,
    }),
  ),
  fits: z.array(z.looseObject(fitSchema.shape)),
  counts: z.object({
    samples: known,
    timed: known,
    used: known,
    companions: known,
    unconfirmed: z.optional(known),
    flagged: z.record(z.string(), known),
  }),
  profile: z.optional(
    z.looseObject({
      name: z.string(),
      device: z.looseObject(tailSchema.shape),
      reads: z.array(
        z.looseObject({
          ...armSchema.shape,
          tail: z.looseObject(tailSchema.shape),
          predictedP95Ms: orUnknown,
        }),
      ),
      gaps,
    }),
  ),
  machines: z.optional(
    z.array(
      z.object({ ...pair, ...place, pooled: pooledSchema, variance: z.nullable(varianceSchema) }),
    ),
  ),
  finding: z.array(z.string()),
  /** Absent in older runs. */
  trust: z.optional(trustSchema),
});
