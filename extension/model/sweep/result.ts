import type { StorageKind } from '../run/sample.ts';
import type { Scope } from '../statistics/design.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { Series, SeriesPair } from './series.ts';

/** All arms at one delay of one storage. */
export interface SweepPoint {
  /** `none` is the control. */
  storage: StorageKind;
  requestedDelayMs: number;
  /** A direct 4 KiB read of the device, ms: medians of the proofs before and after. null: not measured. */
  measuredDelayMs: { p50: number; p95: number } | null;
  /** A proof was off by more than max(1 ms, 20 %). */
  delayOff: boolean;
  /** Median of the proofs' sequential reads; null when not measured. */
  throughputBytesPerSecond: number | null;
  /** One a series, in the plan's order: variants, and within each its arms. */
  arms: ArmPoint[];
  /** Every other arm against the baseline arm, and every other variant against the first. */
  gaps: Gap[];
}

/** One cell: one series at one point. */
export interface ArmPoint extends Series {
  /** Samples in the statistics. */
  samples: number;
  /** Browser launches that took them. */
  launches: number;
  /** Timed samples left out because the witnesses disagree. */
  flagged: number;
  /** Mean of the launches' medians of the read time, ms (statistics/launch-level.ts). null without usable samples: unknown, not 0. */
  medianMs: number | null;
  /** Ends of the median's 95 % interval, ms; null with fewer than 6 samples. */
  lowMs: number | null;
  highMs: number | null;
  /** What the interval holds for; with fewer than 3 launches, for these launches only (statistics/launch-scope.ts). */
  scope: Scope;
  /** Median device reads of one cached read; null when no counter could be read, or other programs use the device too. */
  deviceReads: number | null;
  deviceReadBytes: number | null;
  /** Median processor time of the browser's network service for one cached read, with its 95 % interval; null: unknown. */
  networkServiceMs: { medianMs: number; lowMs: number | null; highMs: number | null } | null;
}

/** How far apart two series are at one point, as the mean of their launches' gaps: above 0 the first is slower. */
export interface Gap extends SeriesPair {
  /** null when either median is unknown. */
  ms: number | null;
  /** Ends of the interval, ms, 95 % unless `confidence` says another; null when either cell has fewer than 6 samples. */
  lowMs: number | null;
  highMs: number | null;
  /** The same as a share of the second median: 0.02 is 2 % slower. null where the above is, or that median is 0. */
  relative: number | null;
  relativeLow: number | null;
  relativeHigh: number | null;
  /** Share of repetitions in which the interval holds the truth; above 0.95 after looks on the way (stop-rule.ts). */
  confidence: number;
  scope: Scope;
  /** Judged together with all other gaps of the run (Holm). */
  verdict: Verdict;
  /** The verdict in one English sentence. */
  sentence: string;
}

/**
 * The line through a series' medians against the measured delay (p50), slow points only. The slope is how often a
 * cached read waits for the device, one wait after another. All null with fewer than 3 points that have both.
 */
export interface ArmFit extends Series {
  slopeMsPerMs: number | null;
  /** 95 % interval of the slope. */
  slopeLow: number | null;
  slopeHigh: number | null;
  interceptMs: number | null;
  /** Share of the medians' variance that the line explains, 0 to 1. */
  r2: number | null;
  /** Points the line was drawn through, or could have been. */
  points: number;
  /** Median device reads of one cached read over all slow points; null: unknown. */
  deviceReads: number | null;
  /** Median bytes the device read for one cached read over all slow points; null: unknown. */
  deviceReadBytes: number | null;
  /** Size of the cache entry; null: unknown. */
  storedBytes: number | null;
  /** Body bytes that crossed the wire; null when the run did not get as far as filling the cache. */
  wireBytes: number | null;
  decodedBytes: number | null;
}
