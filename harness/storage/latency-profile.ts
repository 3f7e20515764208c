import { openSync, closeSync, constants, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checked } from '@cachescope/model/parsed.ts';
import { normalQuantile } from '@cachescope/model/statistics/normal.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import * as z from 'zod/mini';
import { CachescopeError } from '../error.ts';
import { maxDelayMs } from './delay.ts';

const latencyMs = z.number().check(z.gte(0), z.lte(maxDelayMs));

/** Distribution of read latencies, drawn independently for each read. */
const latenciesSchema = z.union([
  z.strictObject({ kind: z.literal('constant'), ms: latencyMs }),
  /** Log-normal with this standard deviation of the logarithm; cut off at the maximum delay. */
  z.strictObject({
    kind: z.literal('lognormal'),
    medianMs: latencyMs,
    sigma: z.number().check(z.gte(0), z.lte(3)),
  }),
  /** Measured: quantiles from the minimum to the maximum, at equal steps of probability. */
  z.strictObject({
    kind: z.literal('recorded'),
    quantilesMs: z.array(latencyMs).check(z.minLength(2), z.maxLength(10_000)),
  }),
]);
export type Latencies = z.infer<typeof latenciesSchema>;

/** A disk's read latencies: the file that `--profile` names. */
export const profileSchema = z.strictObject({
  name: z.string(),
  /** Source of these values. */
  source: z.string().check(z.minLength(1)),
  read: latenciesSchema,
  /** A second state, as during a drive's garbage collection. Absent: there is one state. */
  stalls: z.optional(
    z.strictObject({
      read: latenciesSchema,
      /** Probability that a read outside a stall begins one, 0 to 1. */
      begin: z.number().check(z.gte(0), z.lte(1)),
      /** Probability that a read in a stall ends it, above 0 to 1. */
      end: z.number().check(z.gt(0), z.lte(1)),
    }),
  ),
  /** Absent: no limit. */
  bandwidthBytesPerSecond: z.optional(z.number().check(z.gte(10_000), z.lte(100e9))),
});
export type LatencyProfile = z.infer<typeof profileSchema>;

/**
 * The profile that a run.json holds; undefined without one.
 *
 * @throws CachescopeError CS_STORAGE_OPTIONS with every rule that it breaks.
 */
export function plannedProfile(profile: unknown): LatencyProfile | undefined {
  if (profile === undefined) return undefined;
  const found = checked('the profile of the plan', profileSchema, profile);
  if ('value' in found) return found.value;
  throw new CachescopeError('CS_STORAGE_OPTIONS', found.problems.join('; '));
}

/** Rows of the tables that the device draws from: the last is the quantile at 1 - 1/2048. */
const steps = 1024;

/** Latencies of equal probability, ascending, ms. */
export function latencyTable(latencies: Latencies): number[] {
  return Array.from({ length: steps }, (_, step) => quantileOf(latencies, (step + 0.5) / steps));
}

/** Median latency that a device with this profile draws for a read, ms, without its stalls; 0 without a profile. */
export function medianDrawnMs(profile: LatencyProfile | undefined): number {
  const typical = profile ? (median(latencyTable(profile.read)) ?? 0) : 0;
  return Math.round(typical * 1000) / 1000;
}

function quantileOf(latencies: Latencies, p: number): number {
  if (latencies.kind === 'constant') return latencies.ms;
  if (latencies.kind === 'lognormal') {
    const { medianMs, sigma } = latencies;
    return Math.min(maxDelayMs, medianMs * Math.exp(sigma * normalQuantile(p)));
  }
  const { quantilesMs } = latencies;
  const at = p * (quantilesMs.length - 1);
  const [low = 0, high = low] = quantilesMs.slice(Math.floor(at));
  return low + (high - low) * (at % 1);
}

/** The file in a work directory from which the served device draws its latencies (nbd-live.py). */
export function latencyFile(directory: string): string {
  return join(directory, 'latencies');
}

/**
 * Writes the latency file: little-endian doubles; the probabilities of beginning and ending a stall, then the table of
 * each state.
 */
export function writeLatencies(directory: string, { read, stalls }: LatencyProfile): void {
  const tables = [read, stalls?.read ?? read].flatMap(latencyTable);
  const numbers = [stalls?.begin ?? 0, stalls?.end ?? 1, ...tables];
  const bytes = Buffer.alloc(8 * numbers.length);
  numbers.forEach((value, index) => bytes.writeDoubleLE(value, 8 * index));
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(latencyFile(directory), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, bytes);
  } finally {
    closeSync(file);
  }
}
