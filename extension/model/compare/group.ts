import type { PresetSide } from '../features/effect.ts';
import type { Trust } from '../run/trust.ts';
import type { Metric } from './run.ts';
import type { Reading } from '../statistics/readings.ts';

/** The factors of a group and their levels, in words: arm -> dcb, delay -> 5 ms. In display order. */
export type Factors = Readonly<Record<string, string>>;

/** The readings of one group of samples, for example a cell of a sweep. */
export interface ComparableGroup {
  factors: Factors;
  readings: readonly Reading[];
  /** Number of samples that were measured and excluded because of a flag. */
  flagged: number;
  /** Measured read delay of the device, ms; null or absent: not measured. */
  measuredDelayMs?: number | null;
}

/** Defines how the runs of an experiment are compared. It is registered in `comparables` (runs.ts). */
export interface Comparable<Document> {
  /** The first one is the default. Never empty. */
  metrics: readonly Metric[];
  /** Every group that was started and can have the metric, including empty ones, which must be reported. */
  groupsOf(document: Document, metric: Metric): ComparableGroup[];
  /** Significance level for verdicts within one run; absent: 5 %. Less where the run looked at its comparisons before. */
  alphaOf?(document: Document): number;
  trustOf(document: Document): Trust;
  /** Equivalence margin that a run was judged with, as a share; absent: the default. */
  marginOf?(document: Document): number;
  /** Why two groups of one run get no verdict, as a clause; null or absent: they get one. */
  withheld?(document: Document, of: Factors, against: Factors): string | null;
  /** The settings of a group's browser, with what its run saw of their effect. */
  presetsOf(document: Document, group: Factors): PresetSide;
  /** Conditions that two runs must share besides machine and browser, in words, by name. */
  conditionsOf(document: Document): Readonly<Record<string, string>>;
}

/** Name of a group: `arm=dcb,delay=5 ms`. */
export function factorsText(factors: Factors): string {
  return Object.entries(factors)
    .map(([factor, level]) => `${factor}=${level}`)
    .join(',');
}
