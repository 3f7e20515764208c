import * as z from 'zod/mini';
import { codings } from '../coding.ts';
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
const device = { deviceReads: orUnknown, deviceReadBytes: orUnknown };
const interval = z.nullable(z.object({ low: known, high: known }));
const effect = { relative: known, interval };
const design = z.nullable(
  z.object({ machines: known, launches: known, reads: known, machineTimeMs: known }),
);
const arm = {
  ...series,
  ...spread,
  ...device,
  samples: known,
  flagged: known,
  medianMs: orUnknown,
  networkServiceMs: z.nullable(z.object({ ...spread, medianMs: known })),
};
const tail = z.looseObject({ medianMs: orUnknown, p95Ms: orUnknown, p99Ms: orUnknown });
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
      delayOff: z.boolean(),
      arms: z.array(z.looseObject(arm)),
      gaps,
    }),
  ),
  fits: z.array(
    z.looseObject({
      ...series,
      ...device,
      storedBytes: orUnknown,
      wireBytes: orUnknown,
      decodedBytes: orUnknown,
    }),
  ),
  counts: z.object({
    samples: known,
    used: known,
    companions: known,
    flagged: z.record(z.string(), known),
  }),
  profile: z.optional(
    z.looseObject({
      name: z.string(),
      device: tail,
      reads: z.array(z.looseObject({ ...arm, tail, predictedP95Ms: orUnknown })),
      gaps,
    }),
  ),
  machines: z.optional(
    z.array(
      z.object({
        ...pair,
        ...place,
        pooled: z.object({
          ...effect,
          machines: z.array(z.object({ ...effect, machine: z.string(), launches: known })),
          scope: z.enum(['any machine', 'these machines']),
          heterogeneity: orUnknown,
          prediction: interval,
        }),
        variance: z.nullable(
          z.object({
            components: z.object({ machine: known, launch: known, read: known }),
            now: design,
            halved: design,
          }),
        ),
      }),
    ),
  ),
  finding: z.array(z.string()),
});
