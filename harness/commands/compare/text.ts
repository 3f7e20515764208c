import { differenceText } from '@cachescope/model/compare/build.ts';
import { levelName } from '@cachescope/model/compare/names.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import {
  type ComparedCell,
  type ComparisonSummary,
  placeOf,
} from '@cachescope/model/compare/summary.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { printableLines } from '@cachescope/model/printable.ts';
import { startText, trendSentences } from '@cachescope/model/compare/run-history.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { plainTable } from '../../results/plain-table.ts';
import { withInterval } from '../../experiments/sweep/text-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;

/** A comparison on stdout: the two sides, their differences, a table, a sentence per pair; 80 columns. */
export function comparisonText(run: ComparisonRun, summary: ComparisonSummary): string {
  const { plan } = run;
  const { unit } = plan.metric.measure;
  const lines = [
    wrap(`A, the baseline: ${sideText(plan.against)}`, width),
    wrap(`B: ${sideText(plan.of)}`, width),
    ...run.differences.map((difference) => differenceLine(run, difference)),
    '',
    wrap(
      `${plan.metric.title}, ${unit}: medians; B compared with A, with the ${confidence(summary)} interval; margin ${digits(100 * plan.margin)} %`,
      width,
    ),
    '',
    fittingTable(run, summary),
    '',
    ...summary.finding.map((sentence) => wrap(sentence, width)),
    '',
    ...summary.cells.flatMap(cellLines),
    ...(run.unmatched.length > 0
      ? [wrap(`Not compared, because only one side has it: ${run.unmatched.join('; ')}.`, width)]
      : []),
    ...(run.trend ? trendLines(run.trend) : []),
    '',
  ];
  return printableLines(lines.join('\n'));
}

function sideText({ name, source, about }: ComparisonRun['plan']['of']): string {
  return `${name === 'A' || name === 'B' ? '' : `${name}, `}${source} (${about})`;
}

function differenceLine(
  { plan }: ComparisonRun,
  difference: ComparisonRun['differences'][number],
): string {
  const { condition, matters } = difference;
  const role = plan.across.includes(condition)
    ? 'Compared across'
    : matters
      ? 'DIFFERENT CONDITIONS:'
      : 'Differs in';
  return wrap(`${role} ${differenceText(difference)}`, width);
}

function confidence({ cells }: ComparisonSummary): string {
  return `${digits(100 * (cells[0]?.comparison.confidence ?? 0.95))} %`;
}

/** Maximum length of a level's text: the table must fit 80 columns. */
const mostOfLevel = 20;

/** With intervals if that fits 80 columns; each sentence contains its interval anyway. */
function fittingTable(run: ComparisonRun, summary: ComparisonSummary): string {
  const whole = table(run, summary, true);
  const isFitting = whole.split('\n').every((line) => line.length <= width);
  return isFitting ? whole : table(run, summary, false);
}

function table({ plan }: ComparisonRun, { cells }: ComparisonSummary, intervals: boolean): string {
  const { unit, greater, lesser } = plan.metric.measure;
  const words = { greater, lesser };
  const factors = [...new Set(cells.flatMap((cell) => Object.keys(cell.factors)))];
  const head = [...factors, `A, ${unit}`, `B, ${unit}`, 'B - A, %', 'verdict'];
  const rows = cells.map(({ factors: levels, comparison, verdict }) => {
    const { relative, relativeInterval } = comparison;
    const percent = (share: number | undefined): number | null =>
      share === undefined ? null : 100 * share;
    return [
      ...factors.map((factor) => levelName(levels[factor] ?? '').slice(0, mostOfLevel)),
      digits(comparison.against.median),
      digits(comparison.of.median),
      withInterval(
        percent(relative ?? undefined),
        percent(intervals ? relativeInterval?.low : undefined),
        percent(intervals ? relativeInterval?.high : undefined),
      ),
      verdict.direction ? `DIFFERENT, B ${words[verdict.direction]}` : verdict.outcome,
    ];
  });
  return plainTable(head, factors.length, rows);
}

function cellLines(cell: ComparedCell): string[] {
  const notes = [...oddities(cell), ...cell.warnings].map((text) =>
    wrap(`! ${text}`, width - 2).replaceAll(/^/gm, '  '),
  );
  return [wrap(`${placeOf(cell)}: ${cell.sentence}`, width), ...notes];
}

/** Counts of outliers and flagged samples; empty when there are none. */
function oddities(cell: ComparedCell): string[] {
  const sides = [
    ['A', cell.against, cell.comparison.against.readings],
    ['B', cell.of, cell.comparison.of.readings],
  ] as const;
  const outliers = sides.flatMap(([side, { outliers: found }, readings]) => {
    const count = found ? found.mild + found.severe : 0;
    return found && count > 0
      ? [`${count} of ${readings} in ${side} (${found.severe} severe)`]
      : [];
  });
  const flagged = sides.flatMap(([side, { flagged: count }]) =>
    count > 0 ? [`${count} in ${side}`] : [],
  );
  return [
    ...(outliers.length > 0 ? [`Outliers, kept: ${outliers.join(', ')}.`] : []),
    ...(flagged.length > 0 ? [`Flagged samples, excluded: ${flagged.join(', ')}.`] : []),
  ];
}

/** This many columns fit beside the names of the cells. */
const columns = 4;

/** A trend on stdout: the medians of its last runs, and where they changed. */
function trendLines(trend: Trend): string[] {
  const { baseline, runs, cells } = trend;
  const shown = runs.slice(-columns);
  const starts = shown.map(({ startedAt }) => startText(startedAt).slice(5));
  const rows = cells.map(({ place, medians }) => [place, ...medians.slice(-columns).map(digits)]);
  return [
    '',
    wrap(
      `Trend of ${baseline}: the last ${shown.length} of ${runs.length} runs, medians; the compared run is the last (UTC)`,
      width,
    ),
    '',
    plainTable(['cell', ...starts], 1, rows).replaceAll(/ +$/gm, ''),
    '',
    ...trendSentences(trend).map((sentence) => wrap(sentence, width)),
  ];
}
