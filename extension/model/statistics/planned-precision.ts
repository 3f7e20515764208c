import { fewestLaunches } from './launch-level.ts';
import { studentCritical } from './student-t.ts';

/** A design: launches, and reads of a cell in each. */
export interface Design {
  launches: number;
  readsPerLaunch: number;
}

/** Usual relative standard deviations on a quiet machine: of reads, of launches, and of an arm within its launch. */
const spread = { reads: 0.05, launches: 0.02, arm: 0.01 };

/** Expected half-widths of 95 % intervals, as shares: of a level, and of the gap of two arms that share launches. */
export interface PlannedPrecision {
  level: number;
  gap: number;
}

/**
 * The precision that a design gives where reads vary as on a quiet machine (harness/docs/method.md, "How many launches").
 * null with fewer than three launches: there is no interval.
 */
export function plannedPrecision({ launches, readsPerLaunch }: Design): PlannedPrecision | null {
  if (launches < fewestLaunches) return null;
  // Variance of a median of n normal values: π/2 that of their mean for many, and equal for one.
  const ofMedian = (spread.reads ** 2 * (Math.PI / 2)) / (readsPerLaunch + Math.PI / 2 - 1);
  const ofArm = spread.arm ** 2 + ofMedian;
  const halfWidth = (variance: number): number =>
    studentCritical(0.95, launches - 1) * Math.sqrt(variance / launches) * biasOfSd(launches);
  return { level: halfWidth(spread.launches ** 2 + ofArm), gap: halfWidth(2 * ofArm) };
}

/** The mean of the sample standard deviation of n normal values, as a share of the true one. */
function biasOfSd(count: number): number {
  return 1 - 1 / (4 * count) - 7 / (32 * count ** 2);
}
