import type { StorageKind } from '../run/sample.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { SavedArm, SavedFit } from './saved-summary.ts';
import type { SeriesPair } from './series.ts';

/** All arms at one delay of one storage. */
export interface SweepPoint {
  /** `none` is the control. */
  storage: StorageKind;
  requestedDelayMs: number;
  /**
   * Time of a direct 4 KiB read of the device, ms: medians of the delay checks. With a disk for each variant: of the disk
   * that is furthest from the requested delay. null: not measured.
   */
  measuredDelayMs: { p50: number; p95: number } | null;
  /** The same of each variant's own disk; absent in a run with one disk. */
  disks?: { variant?: string | undefined; p50: number | null }[];
  /**
   * A delay check differed from the requested delay by more than max(1 ms, 20 %). In the crossed design: more than half
   * of the checks of one disk did.
   */
  delayOff: boolean;
  /** Median of the checks' sequential reads; null when not measured. */
  throughputBytesPerSecond: number | null;
  /** One per series, in the plan's order: by variant, then by workload, then by arm. */
  arms: ArmPoint[];
  /**
   * Every other arm against the baseline arm, every other variant against the first, and recompressed series against
   * the same arm and the baseline arm.
   */
  gaps: Gap[];
}

/** One cell: one series at one point. */
export interface ArmPoint extends SavedArm {
  /** Number of browser launches that took the samples. */
  launches: number;
}

/** Difference of two series at one point, as the mean of their launches' gaps: positive when the first is slower. */
export interface Gap extends SeriesPair {
  /** null when either median is unknown. */
  ms: number | null;
  /** Ends of the interval, ms, 95 % unless `confidence` differs; null when either cell has fewer than 3 launches. */
  lowMs: number | null;
  highMs: number | null;
  /**
   * The same as a share of the second level: 0.02 is 2 % slower. null where `ms` is null, or where that level is 0.
   */
  relative: number | null;
  relativeLow: number | null;
  relativeHigh: number | null;
  /** Simultaneous confidence of the family's intervals; above 0.95 after interim looks (stop-rule.ts). */
  confidence: number;
  /** Number of comparisons in its family: those of the same question with an interval. */
  family: number;
  verdict: Verdict;
  /** The verdict in one English sentence. */
  sentence: string;
}

/**
 * The line fitted to a series' medians against the measured delay (p50), slow points only. The slope estimates the
 * serial device reads of a cached read. All null with fewer than 3 points that have both values.
 */
export interface ArmFit extends SavedFit {
  slopeMsPerMs: number | null;
  /** 95 % interval of the slope. */
  slopeLow: number | null;
  slopeHigh: number | null;
  interceptMs: number | null;
  /** Share of the medians' variance that the line explains, 0 to 1. */
  r2: number | null;
  /** Number of points with a median and a measured delay. */
  points: number;
}
