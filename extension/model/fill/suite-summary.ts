import type { FillComparison } from './comparison.ts';
import type { FillMeasures } from './measures.ts';
import type { FillSuite, FillSystem } from './plan.ts';

/** One system under one suite: a row of the table. */
export interface FillRow {
  system: FillSystem;
  suite: string;
  trials: number;
  /** Places in the browser that the readers shared; null outside a browser. */
  contexts: number | null;
  measures: FillMeasures;
  /** Utilisation of the busiest event loop of its trials, 0 to 1; null: unknown. */
  busiest: number | null;
}

/** Result of one suite. */
export interface FillSuiteSummary {
  suite: FillSuite;
  title: string;
  /** Average byte wait if every byte arrived when the origin sends it, ms. */
  idealByteWaitMs: number;
  /** In the order of the plan; systems without a trial are left out. */
  rows: FillRow[];
  comparisons: FillComparison[];
}
