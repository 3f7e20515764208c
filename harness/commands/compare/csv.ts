import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import type { ComparedCell, ComparisonSummary } from '@cachescope/model/compare/summary.ts';

function figures(cell: ComparedCell): CsvCell[] {
  const { comparison, verdict } = cell;
  const { against, of, differenceInterval, relativeInterval } = comparison;
  return [
    against.readings,
    of.readings,
    against.launches,
    of.launches,
    cell.against.flagged,
    cell.of.flagged,
    outliers(cell.against),
    outliers(cell.of),
    cell.against.modes?.at.length,
    cell.of.modes?.at.length,
    against.median,
    of.median,
    comparison.difference,
    differenceInterval?.low,
    differenceInterval?.high,
    comparison.relative,
    relativeInterval?.low,
    relativeInterval?.high,
    comparison.confidence,
    differenceInterval ? comparison.scope : null,
    comparison.effect?.greaterShare,
    verdict.p,
    verdict.outcome,
    verdict.direction,
    verdict.better,
    cell.sentence,
  ];
}

function outliers({ outliers: found }: ComparedCell['of']): number | null {
  return found && found.mild + found.severe;
}

/** One row per pair of groups: A is the baseline, B is compared with it. Empty means unknown. */
export function comparisonCsv(run: ComparisonRun, summary: ComparisonSummary): string {
  const factors = [...new Set(summary.cells.flatMap((cell) => Object.keys(cell.factors)))];
  const unit = run.plan.metric.measure.unit.toLowerCase();
  const header = [
    ...factors,
    ...['readings', 'launches', 'flagged', 'outliers', 'modes', `median_${unit}`].flatMap(
      (name) => [`a_${name}`, `b_${name}`],
    ),
    `difference_${unit}`,
    `difference_${unit}_low`,
    `difference_${unit}_high`,
    'difference_share',
    'difference_share_low',
    'difference_share_high',
    'confidence',
    'interval_holds_for',
    'b_greater_share',
    'p_holm',
    'verdict',
    'b_is',
    'better',
    'sentence',
  ];
  const rows = summary.cells.map((cell) => {
    const better = { of: 'b', against: 'a' } as const;
    const known = figures(cell);
    known[known.length - 2] = cell.verdict.better && better[cell.verdict.better];
    return [...factors.map((factor) => cell.factors[factor]), ...known];
  });
  return csvText(header, rows);
}
