import type { ComparisonDocument, ComparisonRun } from '@cachescope/model/compare/run.ts';
import { comparisonPage } from '@cachescope/model/compare/page.ts';
import {
  type ComparedCell,
  type ComparisonSummary,
  summarizeComparison,
} from '@cachescope/model/compare/summary.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import { htmlReport } from '../../results/html-report.ts';
import type { ResultFiles, Results, ResultTools } from '../../results/results.ts';
import { pageText } from '../../results/page-text.ts';
import { screenText } from '../../results/screen.ts';
import { screenColumns } from '../../terminal.ts';

/** A comparison's outputs: compare.json, compare.csv, compare.txt, and compare.html with the distributions. */
export async function writeComparisonResults(
  files: ResultFiles,
  document: ComparisonDocument,
  tools: ResultTools,
): Promise<Results> {
  const summary = summarizeComparison(document);
  const shown = shownComparison(document, summary);
  await files.write('compare.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('compare.csv', comparisonCsv(document.run, summary));
  await files.write('compare.txt', shown.details);
  const page = await htmlReport(tools.extensionDirectory, document);
  return { ...shown, report: await files.write('compare.html', page) };
}

/** A comparison that is shown only. */
export function shownComparison(
  document: ComparisonDocument,
  summary: ComparisonSummary = summarizeComparison(document),
): Results {
  const { run } = document;
  const page = comparisonPage(document, summary);
  const { trend } = run;
  return {
    summary: { ...summary, ...(trend && { trend }) },
    text: screenText(page, run, summary.trust, screenColumns()),
    details: pageText(page, run, summary.trust),
    warnings: foldedWarnings([...run.warnings, ...(page.warnings ?? [])]),
    report: null,
    status: [],
  };
}

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
    [`a_median_${unit}`]: ({ comparison }) => comparison.against.median,
    [`b_median_${unit}`]: ({ comparison }) => comparison.of.median,
    [`difference_${unit}`]: ({ comparison }) => comparison.difference,
    [`difference_low_${unit}`]: ({ comparison }) => comparison.differenceInterval?.low,
    [`difference_high_${unit}`]: ({ comparison }) => comparison.differenceInterval?.high,
    difference_share: ({ comparison }) => comparison.relative,
    difference_low_share: ({ comparison }) => comparison.relativeInterval?.low,
    difference_high_share: ({ comparison }) => comparison.relativeInterval?.high,
    confidence: ({ comparison }) => comparison.confidence,
    family_comparisons: ({ comparison }) => comparison.family,
    b_greater_share: ({ comparison }) => comparison.effect?.greaterShare,
    p_adjusted: ({ verdict }) => verdict.p,
    verdict: ({ verdict }) => verdict.outcome,
    b_is: ({ verdict }) => verdict.direction,
    better: ({ verdict }) => verdict.better && sides[verdict.better],
    sentence: ({ sentence }) => sentence,
  };
  return csvOf(columns, summary.cells);
}
