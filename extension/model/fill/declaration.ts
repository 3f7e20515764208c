import type { BarsChart, LookName } from '../page/chart.ts';
import { declared } from '../page/declared.ts';
import { differenceTable } from '../page/differences.ts';
import { openQuestion } from '../page/open-question.ts';
import type { Page, Section } from '../page/page.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { byteSize, counted, milliseconds, seconds } from '../quantity.ts';
import { isWhole } from './trial.ts';
import { trialValue } from './measures.ts';
import { publishedFor, type PublishedRow } from './published.ts';
import { comparisonSentences } from './comparison.ts';
import { type FillLine, type FillRunDocument, savedFill } from './run.ts';
import {
  fillHeadline,
  type FillRow,
  type FillSuiteSummary,
  type FillSummary,
  summarizeFill,
} from './summary.ts';

/** Concurrent fills: many readers of files that are still arriving. */
export const fill = declared(savedFill, {
  summarize: ({ run, lines }) => summarizeFill(run, lines),
  page,
});

function page(
  { run, lines }: FillRunDocument,
  { suites, answers, finding, warnings }: FillSummary,
): Page {
  const headline = fillHeadline({ suites });
  const { workers, fileBytes, timeMs, rounds, chunkHz, seed } = run.plan;
  const rows = suites.flatMap((suite) => suite.rows);
  const titles = new Map(suites.map((each) => [each.suite.name, each.title]));
  const titleOf: TitleOf = ({ suite }) => titles.get(suite) ?? suite;
  return {
    title: 'Concurrent fills: many readers of files that are still arriving',
    facts: [
      `${workers} readers`,
      `files of ${byteSize(fileBytes)}`,
      `${seconds(timeMs)} a trial`,
      counted(rounds, 'round'),
      ...(run.plan.link ? [`over ${run.plan.link.name}`] : []),
      run.nginx.own?.replace('nginx version: ', '') ?? 'no nginx',
      run.environment.chromium.version,
    ],
    ...(headline !== undefined && { headline }),
    finding,
    warnings: [...warnings, ...run.unavailable.map(({ what, why }) => `Not run: ${what}: ${why}.`)],
    charts: [...suites.flatMap(charts), ...steadinessCharts(run, singleSeries(lines), words)],
    sections: [
      { tables: [benchmarkTable(rows, titleOf), distributionTable(rows, titleOf)] },
      { title: 'Differences of the byte wait', tables: suites.map(byteWaitDifferences) },
      ...suites.map(({ title, comparisons }): Section => ({
        title: `Verdicts, ${title.toLowerCase()}`,
        sentences: comparisonSentences(comparisons),
        isDetail: true,
      })),
      {
        title: 'How Chromium’s cache shares a response that is arriving',
        sentences: answers.flatMap((answer) => answer.sentences),
      },
    ],
    conditions: [
      ['nginx', run.nginx.own ?? 'none'],
      ['patched nginx', run.nginx.patched ?? 'none'],
      ['Chunks of a slow origin', `${chunkHz} a second`],
      ['Seed', `${seed}`],
    ],
    closing: openQuestion(
      run,
      suites.flatMap(({ comparisons }) => comparisons.map(({ judged }) => judged.verdict)),
      { launches: rounds, option: '--rounds' },
    ),
    notes: [
      'Requests: those of the readers; origin: requests that reached the origin; byte wait: average wait for a byte; TTFB: mean time to the first byte; hit rate: share of requests that did not reach the origin.',
      ...suites.flatMap(({ title, idealByteWaitMs: ms }) =>
        ms > 0 ? [`${title}: bytes are sent ${milliseconds(ms)} after the start on average.`] : [],
      ),
    ],
  };
}

function byteWaitDifferences({ suite, comparisons }: FillSuiteSummary): Table {
  const own = comparisons.filter(({ quantity }) => quantity === 'byteWaitMs');
  return differenceTable(
    `byte wait, ${suite.name}`,
    own.map(({ of, against, judged }) => ({
      name: `${of} − ${against}`,
      unit: 'ms',
      ...judged,
    })),
  );
}

/** A measured row, or one that the nginx tempfiles benchmark published. */
type Row = Pick<FillRow, 'suite'> &
  Partial<Pick<FillRow, 'intervals'>> &
  Pick<PublishedRow, 'system' | 'measures'>;

const system: Column<Row> = {
  key: 'system',
  title: 'System',
  value: (row) => row.system,
  kind: 'name',
};

/** The values of the nginx tempfiles benchmark. */
const benchmark: readonly Column<Row>[] = [
  {
    key: 'requests',
    title: 'Requests',
    value: ({ measures }) => measures.requests,
    unit: 'count',
  },
  {
    key: 'received_bytes',
    title: 'Bytes',
    value: ({ measures }) => measures.bytes,
    unit: 'B',
    in: ['html', 'csv'],
  },
  { key: 'received_mbit_per_s', title: 'Mbps', value: ({ measures }) => measures.mbps },
  {
    key: 'origin_requests',
    title: 'Origin requests',
    brief: 'Origin',
    value: ({ measures }) => measures.originRequests,
    unit: 'count',
  },
  {
    key: 'origin_bytes',
    title: 'Origin bytes',
    value: ({ measures }) => measures.originBytes,
    unit: 'B',
    in: ['html', 'csv'],
  },
  {
    key: 'origin_mbit_per_s',
    title: 'Origin Mbps',
    brief: 'Mbps',
    value: ({ measures }) => measures.originMbps,
  },
  {
    key: 'average_byte_wait_ms',
    title: 'Byte wait',
    value: ({ measures }) => measures.byteWaitMs,
    interval: ({ intervals }) => intervals?.byteWaitMs,
    unit: 's',
  },
  {
    key: 'first_byte_ms',
    title: 'First byte',
    brief: 'TTFB',
    value: ({ measures }) => measures.firstByteMs.mean,
    interval: ({ intervals }) => intervals?.firstByteMs,
    unit: 's',
    in: ['html', 'text'],
  },
  {
    key: 'hit_share',
    title: 'Hit rate',
    value: ({ measures }) => measures.hitRate,
    unit: 'share',
  },
];

type Rows = readonly FillRow[];
type TitleOf = (row: { suite: string }) => string;

/** A row for each system of a suite; page and report.txt have the published rows too. */
function benchmarkTable(rows: Rows, titleOf: TitleOf): Table {
  const suites = [...new Set(rows.map(({ suite }) => suite))];
  const published: readonly Row[] = suites.flatMap(publishedFor);
  return tableOf<Row>({
    columns: [system, ...benchmark],
    rows: (form) => (form === 'text' ? rows : [...rows, ...published]),
    group: (row) => ({
      title: published.includes(row)
        ? `${titleOf(row)}: published by the nginx tempfiles benchmark, of another machine`
        : titleOf(row),
    }),
  });
}

const quantities = [
  ['First byte', 'first_byte', 'firstByteMs'],
  ['Byte wait', 'byte_wait', 'byteWaits'],
  ['Whole request', 'duration', 'durations'],
] as const;

/** The distributions over requests; the page shows two of their points. */
const distributions = quantities.flatMap(([title, key, of]) =>
  (['mean', 'p50', 'p95', 'max'] as const).map((point): Column<FillRow> => ({
    key: `${key}_${point}_ms`,
    title: `${title}, ${point === 'p50' ? 'median' : '95 %'}`,
    value: ({ measures }) => measures[of][point],
    unit: 's',
    in: point === 'p50' || point === 'p95' ? ['html', 'csv'] : ['csv'],
  })),
);

/** The distributions, and in the CSV file every value of each suite and system. */
function distributionTable(rows: Rows, titleOf: TitleOf): Table {
  const csvOnly = { in: ['csv'] } as const;
  return tableOf<FillRow>({
    columns: [
      { key: 'suite', value: ({ suite }) => suite, ...csvOnly },
      system,
      { key: 'trials', value: ({ trials }) => trials, ...csvOnly },
      ...benchmark
        .filter(({ in: forms }) => !forms || forms.includes('csv'))
        .map((column) => ({ ...column, ...csvOnly })),
      ...distributions,
      {
        key: 'flagged',
        value: ({ measures }) =>
          Object.values(measures.flagged).reduce((sum, count) => sum + count, 0),
        ...csvOnly,
      },
      { key: 'busiest_loop_share', value: ({ busiest }) => busiest, ...csvOnly },
    ],
    rows,
    group: (row) => ({ title: `${titleOf(row)}: distributions over requests` }),
    file: 'systems.csv',
    in: ['html'],
  });
}

/** Byte wait and time to the first byte of each system. */
function charts({ suite, title, rows, idealByteWaitMs: idealMs }: FillSuiteSummary): BarsChart[] {
  const byteWait = {
    id: 'byte-wait',
    name: 'byte wait',
    caption: `A bar is the average wait for a byte, its whisker the 95 % interval over the rounds.${idealMs > 0 ? ` The dashed line is the average time at which the origin sends a byte, ${seconds(idealMs)}.` : ''}`,
    quantity: 'byteWaitMs' as const,
    msOf: ({ measures }: FillRow) => measures.byteWaitMs,
    ...(idealMs > 0 && { mark: idealMs / 1000 }),
  };
  const firstByte = {
    id: 'first-byte',
    name: 'time to first byte',
    caption: 'A bar is the mean over all requests, its whisker the 95 % interval over the rounds.',
    quantity: 'firstByteMs' as const,
    msOf: ({ measures }: FillRow) => measures.firstByteMs.mean,
  };
  return [byteWait, firstByte].map(({ id, name, caption, quantity, msOf, ...mark }) => ({
    kind: 'bars',
    // A suite's name may contain a dot, which an element's id should not.
    id: `${id}-${suite.name.replaceAll('.', '-')}`,
    title: `${title}: average ${name} (s)`,
    caption,
    axis: { title: `Average ${name}, s`, text: (s) => seconds(1000 * s), ...mark },
    bars: rows.map((row) => {
      const ms = msOf(row);
      const interval = row.intervals[quantity];
      return {
        label: row.system,
        look: lookOf(row),
        value: ms === null ? null : ms / 1000,
        ...(interval && { low: interval.low / 1000, high: interval.high / 1000 }),
      };
    }),
  }));
}

const words = { one: 'trial', group: 'round', groups: 'rounds' };

/** The byte wait of every trial: a series for each type of system, so that none shares a look with another. */
function singleSeries(lines: readonly FillLine[]): SingleSeries[] {
  const trials = lines.filter((line) => line.kind === 'trial').filter(isWhole);
  return [...Map.groupBy(trials, lookOf)].map(([look, own]) => ({
    label: typeLabels[look] ?? look,
    look,
    values: own.flatMap((trial) => {
      const value = trialValue(trial, 'byteWaitMs');
      const cell = `${trial.suite} ${trial.system}`;
      return value === null ? [] : [{ cell, launch: trial.round, value }];
    }),
  }));
}

const typeLabels: Partial<Record<LookName, string>> = {
  neutral: 'origin',
  green: 'nginx',
  orange: 'edge',
  blue: 'browser',
};

/** A look for each type of system. */
function lookOf({ system: name }: Pick<FillRow, 'system'>): LookName {
  if (name === 'origin') return 'neutral';
  if (name.startsWith('nginx')) return 'green';
  return name.startsWith('edge') ? 'orange' : 'blue';
}
