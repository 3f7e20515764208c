import { type Column, type Table, tableOf } from '../page/table.ts';
import { digits, unknownText } from '../quantity.ts';
import { microCacheLabels } from './cache.ts';
import type { Crossover, SizeComparison } from './crossover.ts';
import { publishedValue } from './history.ts';
import {
  capital,
  conditionLabel,
  loadLabel,
  rowLabel,
  searchLabel,
  searchTimeLabel,
} from './label.ts';
import { type MicroPivot, microPivot, microPivots, type PivotPart, pivotParts } from './pivot.ts';
import type { MicroPlan } from './run.ts';
import type { MicroStatistics } from './statistics.ts';

type Figures = readonly MicroStatistics[];

/** A median; one below the resolution of the clock is an upper bound. */
function medianText({ medianMs, belowResolution, resolutionMs }: MicroStatistics): string {
  return belowResolution ? `<${digits(2 * resolutionMs)}` : digits(medianMs);
}

function intervalOf({ lowMs: low, highMs: high }: MicroStatistics) {
  return low === null || high === null ? null : { low, high };
}

/** The medians of one part, ms: by cache and row, over sizes or numbers of entries. Fits 80 columns with five levels. */
export function pivotTable(plan: MicroPlan, part: PivotPart, figures: Figures): Table {
  const { title, caption } = microPivots[part];
  const { head, levels, rows } = microPivot(part, figures);
  type Row = MicroPivot['rows'][number];
  return tableOf<Row>({
    columns: [
      ...head.map((name, place): Column<Row> => ({
        key: capital(name),
        value: ({ names }) => names[place],
        kind: 'name',
      })),
      ...levels.flatMap((level, place): Column<Row>[] => {
        const median: Column<Row> = {
          key: level,
          value: (row) => row.figures[place]?.medianMs ?? null,
          text: (row) => (row.figures[place] ? medianText(row.figures[place]) : unknownText),
        };
        const interval = (row: Row) => row.figures[place] && intervalOf(row.figures[place]);
        return [
          { ...median, in: ['text'] },
          { ...median, interval, in: ['html'] },
        ];
      }),
    ],
    rows,
    group: (_, form) => ({
      title: form === 'text' ? `${title(plan)}, ms` : title(plan),
      caption: `${caption} Medians, ms, with 95 % intervals below them. A dash: unknown, or independent of the size.`,
    }),
    in: ['html', 'text'],
  });
}

const isSearch = ({ cell }: MicroStatistics) => cell.part === 'search';

/** A value of Mozilla's report, which has no searches. */
function published(key: 'totalMs' | 'runs' | 'averageMs') {
  return ({ cell }: MicroStatistics) =>
    cell.part === 'search' ? undefined : (publishedValue(cell)?.[key] ?? null);
}

/** All values of a cell, those that Mozilla published beside them. */
const values: readonly Column<MicroStatistics>[] = [
  { key: 'part', value: ({ cell }) => cell.part, in: ['csv'] },
  { key: 'cache', value: ({ cell }) => cell.cache, in: ['csv'] },
  { key: 'row', value: ({ cell }) => cell.row, in: ['csv'] },
  {
    key: 'cache_label',
    title: 'Cache',
    value: ({ cell }) =>
      cell.part === 'search' ? searchLabel(cell) : microCacheLabels[cell.cache],
    kind: 'name',
    in: ['html', 'report'],
  },
  {
    key: 'row_label',
    title: ({ cell }) => ({ search: 'Key', list: 'Load', table: 'Row', crossover: '' })[cell.part],
    value: ({ cell }) => (cell.part === 'list' ? loadLabel(cell) : rowLabel(cell)),
    kind: 'name',
    in: ['html', 'report'],
  },
  {
    key: 'search',
    title: 'Search',
    value: (figure) => (isSearch(figure) ? searchTimeLabel(figure.cell) : undefined),
    kind: 'name',
    in: ['html', 'report'],
  },
  { key: 'body_bytes', value: ({ cell }) => cell.bytes, in: ['csv'] },
  {
    key: 'size',
    title: 'Size',
    value: (figure) => (isSearch(figure) ? undefined : figure.cell.bytes),
    unit: 'B',
    kind: 'name',
    in: ['html', 'report'],
  },
  { key: 'state', value: ({ cell }) => cell.state, in: ['csv'] },
  { key: 'back_end', value: ({ cell }) => cell.backEnd, in: ['csv'] },
  {
    key: 'entries',
    title: 'Entries',
    value: ({ cell }) => cell.entries,
    unit: 'count',
    kind: 'name',
  },
  { key: 'storage', value: ({ cell }) => cell.storage, in: ['csv'] },
  { key: 'delay_ms', value: ({ cell }) => cell.delayMs, in: ['csv'] },
  {
    key: 'total_ms',
    title: 'Total, ms',
    value: ({ runs, totalMs }) => (runs === 0 ? null : totalMs),
  },
  { key: 'iterations', title: 'Iterations', value: ({ runs }) => runs, unit: 'count' },
  { key: 'average_ms', title: 'Average, ms', value: ({ averageMs }) => averageMs },
  {
    key: 'median_ms',
    title: 'Median, ms',
    value: ({ medianMs }) => medianMs,
    text: medianText,
    interval: intervalOf,
  },
  { key: 'p95_ms', title: '95th percentile, ms', brief: 'p95', value: ({ p95Ms }) => p95Ms },
  { key: 'batch', value: ({ batch }) => batch, in: ['csv'] },
  { key: 'resolution_ms', value: ({ resolutionMs }) => resolutionMs, in: ['csv'] },
  { key: 'below_resolution', value: ({ belowResolution }) => belowResolution, in: ['csv'] },
  { key: 'launches', title: 'Launches', value: ({ launches }) => launches },
  { key: 'flagged_slices', value: ({ flagged }) => flagged, in: ['csv'] },
  {
    key: 'published_total_ms',
    title: 'Published: total, ms',
    value: published('totalMs'),
  },
  {
    key: 'published_iterations',
    title: 'Iterations',
    value: published('runs'),
    unit: 'count',
  },
  {
    key: 'published_average_ms',
    title: 'Average, ms',
    value: published('averageMs'),
  },
];

/** Every cell with all its values, in the form of Mozilla's published tables. */
export function valueTable(plan: MicroPlan, figures: Figures): Table {
  const shown = figures.filter(({ cell }) => cell.part !== 'crossover');
  return tableOf({
    columns: values,
    rows: (form) => (form === 'csv' ? figures : shown),
    group({ cell }) {
      const part = pivotParts.find((each) => each === cell.part);
      const title = part ? microPivots[part].title(plan) : cell.part;
      const first =
        'The first search of a launch starts with the page cache dropped, perhaps before the index of the cache is read.';
      const beside =
        'The last columns are values that Mozilla published for another browser on another machine.';
      return {
        title: `${title}: all values`,
        caption: `${title}. Medians with 95 % intervals below them. A dash: unknown. ${part === 'search' ? first : beside}`,
      };
    },
    file: 'cells.csv',
    in: ['html', 'report'],
  });
}

/** A size under one condition. */
interface ComparedSize extends SizeComparison {
  crossover: Crossover;
}

/** All sizes at which hits from disk are compared with hits from memory. */
export function crossoverTable(crossovers: readonly Crossover[]): Table {
  const columns: Column<ComparedSize>[] = [
    {
      key: 'condition',
      title: 'Where',
      value: ({ crossover }) => conditionLabel(crossover),
      kind: 'name',
      in: ['html'],
    },
    { key: 'body_bytes', title: 'Size', value: ({ bytes }) => bytes, unit: 'B', kind: 'name' },
    { key: 'disk_ms', title: 'Disk', value: ({ diskMs }) => diskMs, unit: 'ms' },
    { key: 'memory_ms', title: 'Memory', value: ({ memoryMs }) => memoryMs, unit: 'ms' },
    {
      key: 'slower_share',
      title: 'Disk slower by',
      value: ({ relative }) => relative,
      interval: ({ relativeInterval }) => relativeInterval,
      unit: 'share',
    },
    {
      key: 'confidence_share',
      title: 'Confidence',
      value: ({ confidence }) => confidence,
      unit: 'share',
    },
    { key: 'outcome', title: 'Outcome', value: ({ outcome }) => outcome, kind: 'word' },
  ];
  return tableOf<ComparedSize>({
    columns,
    rows: crossovers.flatMap((crossover) =>
      crossover.sizes.map((size) => ({ ...size, crossover })),
    ),
    group: ({ crossover }) => ({
      title: `Disk against memory. ${conditionLabel(crossover)}`,
      caption:
        'Medians of hits of the same launches; how much longer the disk takes, with its interval. A size that is measured again has a wider interval, of a higher confidence.',
    }),
    in: ['html', 'report'],
  });
}
