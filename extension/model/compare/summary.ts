import { factorsText } from './group.ts';
import { levelName } from './names.ts';
import type { ComparedPair, ComparedReadings, ComparisonDocument, ComparisonRun } from './run.ts';
import { digits } from '../quantity.ts';
import { type Trust, trustedFinding, trustOfRuns } from '../run/trust.ts';
import { type Comparison, defaultAlpha, type GroupNames } from '../statistics/comparison.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import { flagOutliers } from '../statistics/outliers.ts';
import type { Reading } from '../statistics/readings.ts';
import { judgedFamilies, type Outcome, type Verdict } from '../statistics/verdict.ts';
import { verdictSentence } from '../statistics/verdict-sentence.ts';

/** Anomalies in the readings of one side. All readings stay in the statistics. */
export interface Anomalies {
  /** Number of mild and severe outliers; null without readings, or with a non-finite one. */
  outliers: { mild: number; severe: number } | null;
  /** Number of samples excluded because of a flag. */
  flagged: number;
}

/** One pair of groups with its verdict. */
export interface ComparedCell {
  factors: Readonly<Record<string, string>>;
  comparison: Comparison;
  verdict: Verdict;
  /** The verdict in one English sentence. */
  sentence: string;
  against: Anomalies;
  of: Anomalies;
  /** Warnings about this pair, in sentences. */
  warnings: string[];
}

/** Results of a comparison. They can be recomputed at any time. */
export interface ComparisonSummary {
  trust: Trust;
  cells: ComparedCell[];
  outcomes: Record<Outcome, number>;
  /** The overall results, in sentences. Never empty. */
  finding: string[];
}

/**
 * Tests all pairs as one family; those of a profile are one of their own, as in a sweep. Pure.
 *
 * @param alpha Significance level of the family; default: that of the plan.
 */
export function summarizeComparison(
  { run, pairs }: ComparisonDocument,
  alpha: number = run.plan.alpha ?? defaultAlpha,
): ComparisonSummary {
  const { plan } = run;
  const names = { of: plan.of.name, against: plan.against.name };
  const groups = pairs.map((pair) => {
    const question = isDrawn(pair) ? 'a profile of latencies' : 'constant delays';
    return { pair, question, of: readingsOf(pair.of), against: readingsOf(pair.against), names };
  });
  const { better, measure } = plan.metric;
  const trust = comparisonTrust(plan);
  const inconclusive = trust.inconclusive ?? plan.inconclusive ?? null;
  const judged = judgedFamilies(groups, { better, margin: plan.margin, alpha, inconclusive });
  const cells = judged.map(({ pair, comparison, verdict }): ComparedCell => {
    const sides = { against: anomaliesOf(pair.against), of: anomaliesOf(pair.of) };
    return {
      factors: pair.factors,
      comparison,
      verdict,
      sentence: verdictSentence(comparison, verdict, names, measure),
      ...sides,
      warnings: delayWarning(pair, names),
    };
  });
  const outcomes = countOutcomes(cells);
  const withheld = plan.inconclusive === undefined ? [] : [`Inconclusive: ${plan.inconclusive}.`];
  const finding = trustedFinding(trust, [
    ...withheld,
    ...findingOf(cells, outcomes, names),
    ...severalConditions(run),
  ]);
  return { trust, cells, outcomes, finding };
}

/** A difference of runs that differ in several conditions belongs to all of these together. */
function severalConditions({ differences }: ComparisonRun): string[] {
  const apart = differences.filter(({ matters }) => matters).map(({ condition }) => condition);
  if (apart.length < 2) return [];
  return [
    `The runs differ in ${apart.length} conditions (${apart.join(', ')}): a difference may be of any of them.`,
  ];
}

/** Both sides may be of one run, which then counts once. */
function comparisonTrust({ against, of }: ComparisonRun['plan']): Trust {
  const runs = against.source === of.source ? [against] : [against, of];
  return trustOfRuns(runs.map(({ source, trust }) => ({ name: source, trust })));
}

/** Whether the device drew its latencies from a profile, which the level of the delay then names. */
function isDrawn({ factors: { delay = 'control' } }: ComparedPair): boolean {
  return delay !== 'control' && !/^[\d.]+ ms$/.test(delay);
}

/** The readings of one side, each with its launch. */
export function readingsOf({ values, launches }: ComparedReadings): Reading[] {
  return values.map((value, index) => ({ value, launch: launches[index] ?? null }));
}

function anomaliesOf({ values, flagged }: ComparedReadings): Anomalies {
  const found = flagOutliers(values);
  const outliers = found && { mild: found.mild, severe: found.severe };
  return { outliers, flagged };
}

/** Applies the tolerance for a delay (run/base.ts) to the measured delays of the two sides. */
function delayWarning({ of, against }: ComparedPair, names: GroupNames): string[] {
  const [first, second] = [against.measuredDelayMs, of.measuredDelayMs];
  if (first === null || second === null) return [];
  if (Math.abs(second - first) <= Math.max(1, 0.2 * Math.min(first, second))) return [];
  return [
    `The device's read delay was ${digits(first)} ms for ${names.against} and ${digits(second)} ms for ${names.of}: they differ by more than 1 ms and 20 %, so the device may cause the difference.`,
  ];
}

function countOutcomes(cells: readonly ComparedCell[]): Record<Outcome, number> {
  const count = (wanted: Outcome): number =>
    cells.filter(({ verdict }) => verdict.outcome === wanted).length;
  return { DIFFERENT: count('DIFFERENT'), SAME: count('SAME'), UNKNOWN: count('UNKNOWN') };
}

function findingOf(
  cells: readonly ComparedCell[],
  outcomes: Record<Outcome, number>,
  names: GroupNames,
): string[] {
  if (cells.length === 0) return ['The two runs have no cell in common.'];
  const better = (side: 'of' | 'against'): number =>
    cells.filter(({ verdict }) => verdict.better === side).length;
  const different = [
    [`${names.of} is better`, better('of')] as const,
    [`${names.against} is better`, better('against')] as const,
    ['they are the same', outcomes.SAME] as const,
    ['not decided', outcomes.UNKNOWN] as const,
  ].filter(([, count]) => count > 0);
  const told = different.map(([words, count]) => `${words} at ${count} of ${cells.length}`);
  const whole = `${names.of} against ${names.against}: ${told.join('; ')}.`;
  const isShort = cells.some(({ comparison }) => comparison.noInterval === 'too few launches');
  return isShort
    ? [whole, `A verdict needs at least ${fewestLaunches} launches of each side.`]
    : [whole];
}

/** Place of a compared pair in words: `5 ms, DCB`; `all` when no factor remains. */
export function placeOf({ factors }: Pick<ComparedCell, 'factors'>): string {
  return Object.values(factors).map(levelName).join(', ') || 'all';
}

/** The place with the names of its factors, machine-readable. */
export function keyOf({ factors }: Pick<ComparedCell, 'factors'>): string {
  return factorsText(factors);
}
