import type { FillComparison } from './comparison.ts';
import type { FillMeasures } from './measures.ts';
import type { FillSuite, FillSystem } from './plan.ts';

/** One system under one suite: a row of the table. */
export interface FillRow {
  system: FillSystem;
  suite: string;
  trials: number;
  /** Places in the browser that the readers shared; null outside of one. */
  contexts: number | null;
  measures: FillMeasures;
  /** The busiest event loop of its trials, 0 to 1; null when none is known. */
  busiest: number | null;
}

/** What was found out of one suite. */
export interface FillSuiteSummary {
  suite: FillSuite;
  title: string;
  /** Average byte wait if every byte came the moment it is sent, ms. */
  idealByteWaitMs: number;
  /** In the order of the plan; a system without a trial is not there. */
  rows: FillRow[];
  comparisons: FillComparison[];
}
