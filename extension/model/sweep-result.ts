import type { Coding } from './coding.ts';
import type { StorageKind } from './sample.ts';

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
  /** In the plan's order. */
  arms: ArmPoint[];
  /** Every other arm against the baseline. */
  gaps: Gap[];
}

/** One cell: one arm at one point. */
export interface ArmPoint {
  arm: Coding;
  /** Samples in the statistics. */
  samples: number;
  /** Timed samples left out because the witnesses disagree. */
  flagged: number;
  /** Median read time, ms. null without usable samples: unknown, not 0. */
  medianMs: number | null;
  /** Ends of the median's 95 % bootstrap interval, ms; null with fewer than 5 samples. */
  lowMs: number | null;
  highMs: number | null;
  /** Median device reads of one cached read; null when no counter could be read, or other programs use the device too. */
  deviceReads: number | null;
  deviceReadBytes: number | null;
}

/** median(arm) - median(baseline) at one point: above 0 the arm is slower. */
export interface Gap {
  arm: Coding;
  /** `br`, or the first arm of a plan without it. */
  baseline: Coding;
  /** null when either median is unknown. */
  ms: number | null;
  /** Ends of the 95 % bootstrap interval, ms; null when either cell has fewer than 5 samples. */
  lowMs: number | null;
  highMs: number | null;
}

/**
 * The line through an arm's medians against the measured delay (p50), slow points only. The slope is how often a
 * cached read waits for the device, one wait after another. All null with fewer than 3 points that have both.
 */
export interface ArmFit {
  arm: Coding;
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
  /** Size of the arm's cache entry; null: unknown. */
  storedBytes: number | null;
  /** Body bytes that crossed the wire; null when the run did not get as far as filling the cache. */
  wireBytes: number | null;
  decodedBytes: number | null;
}
