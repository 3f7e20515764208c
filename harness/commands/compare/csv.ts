import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import type { ComparedCell, ComparisonSummary } from '@cachescope/model/compare/summary.ts';

function outliers({ outliers: found }: ComparedCell['of']): number | null {
  return found && found.mild + found.severe;
}

const sides = { of: 'b', against: 'a' } as const;

/** One row per pair of groups: A is the baseline, B is compared with it. Empty means unknown. */
export function comparisonCsv(run: ComparisonRun, summary: ComparisonSummary): string {
  const factors = [...new Set(summary.cells.flatMap((cell) => Object.keys(cell.factors)))];
  const unit = run.plan.metric.measure.unit.toLowerCase();
  const columns: CsvColumns<ComparedCell> = {
    ...Object.fromEntries(
      factors.map((factor) => [factor, (cell: ComparedCell) => cell.factors[factor]]),
    ),
    a_readings: ({ comparison }) => comparison.against.readings,
    b_readings: ({ comparison }) => comparison.of.readings,
    a_launches: ({ comparison }) => comparison.against.launches,
    b_launches: ({ comparison }) => comparison.of.launches,
    a_flagged: ({ against }) => against.flagged,
    b_flagged: ({ of }) => of.flagged,
    a_outliers: ({ against }) => outliers(against),
    b_outliers: ({ of }) => outliers(of),
    a_modes: ({ against }) => against.modes?.at.length,
    b_modes: ({ of }) => of.modes?.at.length,
    [`a_median_${unit}`]: ({ comparison }) => comparison.against.median,
    [`b_median_${unit}`]: ({ comparison }) => comparison.of.median,
    [`difference_${unit}`]: ({ comparison }) => comparison.difference,
    [`difference_${unit}_low`]: ({ comparison }) => comparison.differenceInterval?.low,
    [`difference_${unit}_high`]: ({ comparison }) => comparison.differenceInterval?.high,
    difference_share: ({ comparison }) => comparison.relative,
    difference_share_low: ({ comparison }) => comparison.relativeInterval?.low,
    difference_share_high: ({ comparison }) => comparison.relativeInterval?.high,
    confidence: ({ comparison }) => comparison.confidence,
    interval_holds_for: ({ comparison }) => comparison.differenceInterval && comparison.scope,
    b_greater_share: ({ comparison }) => comparison.effect?.greaterShare,
    p_holm: ({ verdict }) => verdict.p,
    verdict: ({ verdict }) => verdict.outcome,
    b_is: ({ verdict }) => verdict.direction,
    better: ({ verdict }) => verdict.better && sides[verdict.better],
    sentence: ({ sentence }) => sentence,
  };
  return csvOf(columns, summary.cells);
}
