import { baselineOf } from '../features/differences.ts';
import { type VariantPair, variantPair, variantPairSentence } from '../features/variant-pair.ts';
import { percent } from '../quantity.ts';
import type { RunBase } from '../run/base.ts';
import { unflagged } from '../run/flags.ts';
import { tallyOf } from '../run/tally.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { median } from '../statistics/quantile.ts';
import type { Comparison } from '../statistics/comparison.ts';
import type { Reading } from '../statistics/readings.ts';
import { defaultMargin, judgedFamily, type Verdict } from '../statistics/verdict.ts';
import { storingMeasureNames, type StoringMeasureName, storingMeasures } from './measure.ts';
import { storingCellKey, type StoringFlag, type StoringReading, type StoringRun } from './run.ts';

/** One measure of one cell: a variant against the baseline. Values in the unit of the measure; null: unknown. */
export interface StoringRow extends Pick<StoringReading, 'measure' | 'body' | 'bytes' | 'coding'> {
  variant: string;
  /** Name of the variant that is its baseline. */
  against: string;
  /** Levels: of the baseline, and of the variant. */
  baseline: number | null;
  value: number | null;
  /** The difference, and its 95 % interval, simultaneous over the measure's comparisons. */
  difference: number | null;
  interval: Comparison['differenceInterval'];
  /** The difference as a share of the baseline, and its interval. */
  relative: number | null;
  relativeInterval: Comparison['relativeInterval'];
  outcome: Verdict['outcome'];
  direction: Verdict['direction'];
  better: Verdict['better'];
  reason: Verdict['reason'];
  more: Verdict['more'];
  /** Adjusted for the measure's comparisons. */
  p: number | null;
  /** Passes in which both were measured. */
  passes: number;
}

/** Derived from run.json and readings.ndjson only. */
export interface StoringSummary {
  trust: Trust;
  rows: StoringRow[];
  /** Sentences, the answer first. */
  finding: string[];
  counts: { readings: number; flagged: number; passes: number };
}

/**
 * Compares every variant with the one that differs from it in one thing, measure by measure; each measure is one family of
 * tests.
 */
export function summarizeStoring(
  run: StoringRun,
  readings: readonly StoringReading[],
): StoringSummary {
  const trust = trustOfReadings(run, readings);
  const variants = variantPairsOf(run, readings);
  const rows = storingRows(readings, variants, trust);
  const flagged = readings.length - unflagged(readings).length;
  const finding = variants.flatMap((pair) => [
    ...storingSentences(rows, `${pair.of}`, `${pair.against}`),
    ...(pair.effects.length > 0 || pair.inconclusive ? [variantPairSentence(pair)] : []),
  ]);
  return {
    trust,
    rows,
    finding: trustedFinding(trust, finding),
    counts: {
      readings: readings.length,
      flagged,
      passes: new Set(readings.map(({ pass }) => pass)).size,
    },
  };
}

/** The grade of a run by its readings. */
export function trustOfReadings(run: RunBase, readings: readonly StoringReading[]): Trust {
  return trustOf(run, tallyOf(readings, tallied));
}

/** Every measure of every cell, judged for each pair of variants. */
export function storingRows(
  readings: readonly StoringReading[],
  variants: readonly VariantPair[],
  trust: Trust,
): StoringRow[] {
  const judged = storingMeasureNames.flatMap((measure) => {
    const own = readings.filter((reading) => reading.measure === measure);
    return rowsOf(own, measure, variants, trust);
  });
  return variants.flatMap(({ of }) => judged.filter((row) => row.variant === of));
}

/** The compared variants. The readings themselves have the sizes of stored entries. */
export function variantPairsOf(
  { plan, evidence = [] }: Pick<StoringRun, 'plan' | 'evidence'>,
  readings: readonly StoringReading[],
): VariantPair[] {
  const cachesOf = (name: string | undefined) => {
    const stored = readings
      .filter(({ measure, variant }) => measure === 'stored' && variant === name)
      .map(({ coding: arm, bytes, values }) => {
        return { arm, storedBytes: median(values), decodedBytes: bytes };
      });
    return evidence.filter(({ variant }) => variant === name).map((own) => ({ ...own, stored }));
  };
  return plan.variants.slice(1).map(({ name: of }) => {
    const against = baselineOf(plan, of)?.name;
    return variantPair(plan, { of, against }, cachesOf);
  });
}

/** Flags of values that this machine cannot read, or that are no limit: nothing went wrong. */
const harmless = new Set<StoringFlag>(['unknown', 'not-full']);

function tallied(reading: StoringReading) {
  const { measure, variant, pass, values, flags } = reading;
  const isTime = storingMeasures[measure].unit === 'ms';
  return {
    cell: `${variant} ${storingCellKey(reading)}`,
    launch: pass,
    value: isTime && flags.length === 0 ? median(values) : null,
    isFlagged: flags.some((flag) => !harmless.has(flag)),
  };
}

function rowsOf(
  readings: readonly StoringReading[],
  measure: StoringMeasureName,
  variants: readonly VariantPair[],
  { inconclusive: untrusted }: Trust,
): StoringRow[] {
  const cells = [...Map.groupBy(readings, storingCellKey).values()].toSorted(byCell);
  const pairs = variants.flatMap(({ of: variant = '', against: baseline = '', inconclusive }) =>
    cells.flatMap((own) => {
      const [cell] = own;
      const [of, against] = [valuesOf(own, variant), valuesOf(own, baseline)];
      return cell ? [{ cell, variant, baseline, of, against, inconclusive }] : [];
    }),
  );
  const { better } = storingMeasures[measure];
  return judgedFamily(pairs, { better, inconclusive: untrusted }).map(
    ({ cell, variant, baseline, comparison, verdict }) => ({
      measure,
      variant,
      against: baseline,
      body: cell.body,
      bytes: cell.bytes,
      coding: cell.coding,
      baseline: comparison.against.median,
      value: comparison.of.median,
      difference: comparison.difference,
      interval: comparison.differenceInterval,
      relative: comparison.relative,
      relativeInterval: comparison.relativeInterval,
      outcome: verdict.outcome,
      direction: verdict.direction,
      better: verdict.better,
      reason: verdict.reason,
      more: verdict.more,
      p: verdict.p,
      passes: comparison.of.launches,
    }),
  );
}

type Cells = readonly StoringReading[];

function byCell([one]: Cells, [other]: Cells): number {
  if (!one || !other) return 0;
  // Text before random bytes, then by size, then by coding.
  const byBody = other.body.localeCompare(one.body);
  return byBody || one.bytes - other.bytes || one.coding.localeCompare(other.coding);
}

function valuesOf(readings: Cells, variant: string): Reading[] {
  return unflagged(readings)
    .filter((reading) => reading.variant === variant)
    .flatMap(({ values, pass }) => values.map((value) => ({ value, launch: pass })));
}

/** One sentence for each measure, those with a shown difference first. */
export function storingSentences(
  rows: readonly StoringRow[],
  variant: string,
  baseline: string,
): string[] {
  const measures = Map.groupBy(
    rows.filter((row) => row.variant === variant),
    ({ measure }) => measure,
  );
  return [...measures.values()]
    .map((own) => own.toSorted(differentFirst))
    .toSorted(([one], [other]) => (one && other ? differentFirst(one, other) : 0))
    .map((own) => sentenceOf(own, `${variant} against ${baseline}`));
}

function differentFirst(one: StoringRow, other: StoringRow): number {
  return Number(other.outcome === 'DIFFERENT') - Number(one.outcome === 'DIFFERENT');
}

function sentenceOf(rows: readonly StoringRow[], sides: string): string {
  const parts = [...Map.groupBy(rows, outcomeWords)].map(
    ([words, some]) => `${words} in ${some.length}${range(some)}`,
  );
  const comparisons = rows.length === 1 ? '1 comparison' : `${rows.length} comparisons`;
  const label = rows[0] ? storingMeasures[rows[0].measure].label : '';
  return `${label}, ${sides}, ${comparisons}: ${parts.join('; ')}.`;
}

function outcomeWords({ baseline, value, outcome, direction }: StoringRow): string {
  if (baseline === null || value === null) return 'not measured';
  if (outcome === 'DIFFERENT') return direction === 'greater' ? 'greater' : 'less';
  return outcome === 'SAME' ? `the same within ${percent(defaultMargin)}` : 'no difference shown';
}

/** The relative differences that were shown, from the least to the greatest. */
function range(rows: readonly StoringRow[]): string {
  const shown = rows.filter(({ outcome }) => outcome === 'DIFFERENT');
  const shares = shown.flatMap(({ relative }) => (relative === null ? [] : [Math.abs(relative)]));
  if (shares.length === 0) return '';
  const ends = [Math.min(...shares), Math.max(...shares)].map(percent);
  return ` (by ${[...new Set(ends)].join(' to ')})`;
}
