import { signedRange } from '../page/differences.ts';
import type { Page, Term } from '../page/page.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { digits, percent } from '../quantity.ts';
import { differenceText, undeclared } from './build.ts';
import { levelName } from './names.ts';
import { startText, trendSentences } from './run-history.ts';
import type { ComparisonDocument, ComparisonRun } from './run.ts';
import { type ComparedCell, type ComparisonSummary, placeOf } from './summary.ts';
import type { Trend } from './trend.ts';

/** A comparison for people: one line for each pair of groups. */
export function comparisonPage(document: ComparisonDocument, summary: ComparisonSummary): Page {
  const { run } = document;
  const { plan, differences, unmatched } = run;
  const { cells, finding } = summary;
  const [only] = cells;
  return {
    title: `${plan.metric.title}: ${plan.of.name} against ${plan.against.name}`,
    facts: [
      `A, the baseline: ${sideText(plan.against)}`,
      `B: ${sideText(plan.of)}`,
      `margin ${percent(plan.margin)}`,
    ],
    finding: only && cells.length === 1 ? [only.sentence, ...finding.slice(1)] : finding,
    warnings: [
      ...undeclared(document).map((each) => `Different conditions: ${differenceText(each)}.`),
      ...(unmatched.length > 0
        ? [`Not compared, because only one side has it: ${unmatched.join('; ')}.`]
        : []),
    ],
    sections: [
      { tables: [cellTable(run, cells), ...(run.trend ? [trendTable(run.trend)] : [])] },
      { title: 'Each pair', terms: cells.flatMap(cellTerms), isDetail: true },
    ],
    conditions: differences.map((each) => ['Differs', differenceText(each)]),
    closing: [
      ...differences
        .filter(({ condition }) => plan.across.includes(condition))
        .map((each) => `Compared across ${differenceText(each)}`),
      ...undeclared(document)
        .slice(0, 2)
        .map((each) => `DIFFERENT CONDITIONS: ${differenceText(each)}`),
      ...(run.trend ? trendSentences(run.trend).slice(0, 2) : []),
    ],
  };
}

function sideText({ name, source, about }: ComparisonRun['plan']['of']): string {
  return `${name === 'A' || name === 'B' ? '' : `${name}, `}${source} (${about})`;
}

/** Characters of a level that are shown. */
const mostOfLevel = 20;

function cellTable({ plan }: ComparisonRun, cells: readonly ComparedCell[]): Table {
  const { unit, greater, lesser } = plan.metric.measure;
  const factors = [...new Set(cells.flatMap((cell) => Object.keys(cell.factors)))];
  const confidence = percent(cells[0]?.comparison.confidence ?? 0.95);
  const columns: Column<ComparedCell>[] = [
    ...factors.map((factor): Column<ComparedCell> => ({
      key: factor,
      value: (cell) => levelName(cell.factors[factor] ?? '').slice(0, mostOfLevel),
      kind: 'name',
    })),
    { key: 'a', title: `A, ${unit}`, value: ({ comparison }) => comparison.against.median },
    { key: 'b', title: `B, ${unit}`, value: ({ comparison }) => comparison.of.median },
    {
      key: 'difference',
      title: 'B − A',
      value: ({ comparison }) => comparison.relative,
      text: ({ comparison: { relative } }) =>
        `${(relative ?? 0) > 0 ? '+' : ''}${percent(relative)}`,
    },
    {
      key: 'interval',
      title: `${confidence} interval`,
      value: ({ comparison }) => comparison.relativeInterval?.low ?? null,
      text: ({ comparison }) => signedRange(comparison.relativeInterval),
    },
    {
      key: 'verdict',
      value: ({ verdict: { outcome, direction } }) =>
        direction === null
          ? outcome
          : `B ${(direction === 'greater' ? greater : lesser).toUpperCase()}`,
      kind: 'word',
    },
  ];
  return tableOf({
    columns,
    rows: cells,
    group: () => ({ title: `${plan.metric.title}: medians, and B compared with A` }),
    in: ['text'],
  });
}

/** Runs that fit beside the names of the cells. */
const mostRuns = 4;

/** The medians of the last runs of a baseline. */
function trendTable({ baseline, runs, cells }: Trend): Table {
  const shown = runs.slice(-mostRuns);
  type Row = Trend['cells'][number];
  return tableOf<Row>({
    columns: [
      { key: 'cell', value: ({ place }) => place, kind: 'name' },
      ...shown.map(({ startedAt }, at): Column<Row> => ({
        key: startText(startedAt).slice(5),
        value: ({ medians }) => medians.slice(-shown.length)[at] ?? null,
      })),
    ],
    rows: cells,
    group: () => ({
      title: `Trend of ${baseline}: the last ${shown.length} of ${runs.length} runs, medians; the compared run is the last (UTC)`,
    }),
    in: ['text'],
  });
}

function cellTerms(cell: ComparedCell): Term[] {
  return [
    [placeOf(cell), cell.sentence],
    ...[...anomalies(cell), ...cell.warnings].map((text): Term => ['!', text]),
  ];
}

/** Counts of outliers and flagged samples; empty when there are none. */
function anomalies(cell: ComparedCell): string[] {
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
    count > 0 ? [`${digits(count)} in ${side}`] : [],
  );
  return [
    ...(outliers.length > 0 ? [`Outliers, kept: ${outliers.join(', ')}.`] : []),
    ...(flagged.length > 0 ? [`Flagged samples, excluded: ${flagged.join(', ')}.`] : []),
  ];
}
