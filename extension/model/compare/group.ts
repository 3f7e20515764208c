import type { Reading } from '../statistics/readings.ts';
import type { Measure } from '../statistics/verdict-sentence.ts';

/** What of a run is compared: one figure of every sample. */
export interface Metric {
  /** As on the command line: `readMs`. */
  name: string;
  /** For a heading: `Read time`. */
  title: string;
  better: 'lower' | 'higher';
  measure: Measure;
}

/** What tells a group from the others of its run, in words: arm -> dcb, delay -> 5 ms. In the order to be shown in. */
export type Factors = Readonly<Record<string, string>>;

/** The readings of one group of samples, such as a cell of a sweep. */
export interface ComparableGroup {
  factors: Factors;
  readings: readonly Reading[];
  /** Samples that were measured and left out for a flag. */
  flagged: number;
  /** What the device's read delay was measured at, ms; null or absent: not measured. */
  measuredDelayMs?: number | null;
}

/** How the runs of an experiment are compared. An experiment that has one stands in `comparables` (compare-runs.ts). */
export interface Comparable<Document> {
  /** The first is the one that is meant when none is named. Never empty. */
  metrics: readonly Metric[];
  /** Every group that was begun, empty ones too: those must be told. */
  groupsOf(document: Document, metric: Metric): ComparableGroup[];
  /** What two runs must have in common beside their machine and browser, in words, each under a name. */
  conditionsOf(document: Document): Readonly<Record<string, string>>;
}

/** `arm=dcb,delay=5 ms`: what a group is named by. */
export function factorsText(factors: Factors): string {
  return Object.entries(factors)
    .map(([factor, level]) => `${factor}=${level}`)
    .join(',');
}
