import { baselineOf } from '../features/differences.ts';
import { type BarsChart, type ChartBar, looks } from '../page/chart.ts';
import { declared } from '../page/declared.ts';
import { type Difference, differenceTable } from '../page/differences.ts';
import { openQuestion } from '../page/open-question.ts';
import type { Page } from '../page/page.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { byteSize, counted, digits } from '../quantity.ts';
import { unflagged } from '../run/flags.ts';
import { storingMeasures } from './measure.ts';
import {
  savedStoring,
  storingCellKey,
  type StoringPlan,
  type StoringReading,
  type StoringRunDocument,
} from './run.ts';
import { type StoringRow, type StoringSummary, summarizeStoring } from './summary.ts';

/** What it costs to store a dictionary-compressed response: a table for each measure. */
export const storing = declared(savedStoring, {
  summarize: ({ run, readings }) => summarizeStoring(run, readings),
  page,
});

function page(
  { run, readings }: StoringRunDocument,
  { rows, finding, counts }: StoringSummary,
): Page {
  const { variants, launches, sizesBytes, seed } = run.plan;
  const others = variants.slice(1);
  return {
    title: 'The cost of storing dictionary-compressed responses',
    facts: [
      others.map(({ name }) => `${name} against ${baselineOf(run.plan, name)?.name}`).join(', '),
      launches === 1 ? '1 launch of each' : `${launches} launches of each`,
      sizesBytes.map(byteSize).join(', '),
      run.plan.codings.join(', '),
      `${counted(counts.readings, 'reading')}, ${counts.flagged} flagged`,
      run.environment.chromium.version,
    ],
    finding,
    charts: [
      ...changeChart(run.plan, rows),
      ...steadinessCharts(run, singleSeries(run.plan, readings), {
        one: 'reading',
        group: 'pass',
        groups: 'passes',
      }),
    ],
    sections: [
      {
        tables: storingTables(run.plan, rows, 'cells.csv'),
      },
    ],
    conditions: [['Seed', `${seed}`]],
    closing: openQuestion(run, rows, { launches }),
  };
}

/** The differences in one table, and each measure with its cells. */
export function storingTables(
  plan: StoringPlan,
  rows: readonly StoringRow[],
  file: string,
): Table[] {
  const { variants } = plan;
  return [
    differenceTable(
      'measure',
      rows.map(differenceOf(plan)),
      variants.length === 2 ? variants.map(({ name }) => name) : ['baseline', 'variant'],
    ),
    tableOf({
      columns,
      rows,
      group: ({ measure, variant, against }) => ({
        title: storingMeasures[measure].label,
        caption: `${variant} against ${against}`,
      }),
      file,
      in: ['html', 'report'],
    }),
  ];
}

/** The change of every measure, %; nothing where none is known. */
export function changeChart(plan: StoringPlan, rows: readonly StoringRow[]): BarsChart[] {
  const all = rows.map(differenceOf(plan));
  const bars = all.flatMap(({ name: label, relative, relativeInterval: interval }): ChartBar[] => {
    if (relative === null) return [];
    const ends = interval && { low: 100 * interval.low, high: 100 * interval.high };
    return [{ label, look: 'orange', value: 100 * relative, ...ends }];
  });
  if (bars.length === 0) return [];
  const text = (change: number) => `${change > 0 ? '+' : ''}${digits(change)} %`;
  return [
    {
      kind: 'bars',
      id: 'changes',
      title: 'Change of each measure (%)',
      caption:
        'A bar is the change against the baseline, its whisker the 95 % interval. Left of 0: less.',
      axis: { title: 'Change, %', text },
      bars,
    },
  ];
}

/** `First load, 1 KiB`; with the body, the coding and the variant where there are several. */
function differenceOf({ codings, bodies, variants }: StoringRunDocument['run']['plan']) {
  return (row: StoringRow): Difference => {
    const { brief, unit } = storingMeasures[row.measure];
    const names = [
      brief,
      byteSize(row.bytes),
      ...(bodies.length > 1 ? [row.body] : []),
      ...(codings.length > 1 ? [row.coding] : []),
      ...(variants.length > 2 ? [row.variant] : []),
    ];
    return {
      name: names.join(', '),
      levels: [row.baseline, row.value],
      difference: row.difference,
      unit,
      relative: row.relative,
      relativeInterval: row.relativeInterval,
      verdict: row,
      words: unit === 'ms' ? ['slower', 'faster'] : ['more', 'less'],
    };
  };
}

const unit = ({ measure }: StoringRow) => storingMeasures[measure].unit;

/** Every reading of a time: a series for each variant, over all measures and bodies. */
function singleSeries(
  { variants }: StoringRunDocument['run']['plan'],
  readings: readonly StoringReading[],
): SingleSeries[] {
  const times = unflagged(readings).filter(({ measure }) => storingMeasures[measure].unit === 'ms');
  return variants.map(({ name }, place) => ({
    label: name,
    look: looks[place % looks.length] ?? 'neutral',
    values: times
      .filter(({ variant }) => variant === name)
      .flatMap((reading) => {
        const { pass: launch, takenAt, values } = reading;
        const cell = `${name} ${storingCellKey(reading)}`;
        return values.map((value) => ({ cell, launch, takenAt, value }));
      }),
  }));
}

const columns: Column<StoringRow>[] = [
  { key: 'measure', value: ({ measure }) => measure, in: ['csv'] },
  { key: 'unit', value: unit, in: ['csv'] },
  { key: 'body', title: 'Body', value: ({ body }) => body, kind: 'name' },
  { key: 'decoded_bytes', title: 'Size', value: ({ bytes }) => bytes, unit: 'B', kind: 'name' },
  { key: 'coding', title: 'Arm', value: ({ coding }) => coding, kind: 'name' },
  { key: 'variant', value: ({ variant }) => variant, in: ['csv'] },
  { key: 'against', value: ({ against }) => against, in: ['csv'] },
  { key: 'baseline', title: ({ against }) => against, value: (row) => row.baseline, unit },
  { key: 'value', title: ({ variant }) => variant, value: ({ value }) => value, unit },
  {
    key: 'difference',
    value: ({ difference }) => difference,
    interval: ({ interval }) => interval,
    in: ['csv'],
  },
  {
    key: 'change_share',
    title: 'Change (95 % interval)',
    value: ({ relative }) => relative,
    interval: ({ relativeInterval }) => relativeInterval,
    unit: 'share',
  },
  { key: 'verdict', title: 'Verdict', value: ({ outcome }) => outcome, kind: 'word' },
  { key: 'p', value: ({ p }) => p, in: ['csv'] },
  { key: 'passes', value: ({ passes }) => passes, in: ['csv'] },
];
