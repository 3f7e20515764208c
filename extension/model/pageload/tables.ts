import { answerText } from '../attribution/answer-text.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { digits } from '../quantity.ts';
import {
  pageArmLabels,
  type PageCell,
  pageCellName,
  type PageLoad,
  pageStateLabels,
} from './load.ts';
import type { Page } from './page.ts';
import type { PageStatistics, RepresentativeLoad } from './statistics.ts';

interface InCell {
  cell: PageCell;
}
const isSlow = ({ cell }: InCell) => cell.storage !== 'none';

/** Storage, delay, arm and state of a row, for the CSV files. */
function factors<Row>(cellOf: (row: Row) => PageCell): Column<Row>[] {
  return [
    { key: 'storage', value: (row) => cellOf(row).storage, in: ['csv'] },
    { key: 'delay_ms', value: (row) => cellOf(row).delayMs, in: ['csv'] },
    { key: 'arm', value: (row) => cellOf(row).arm, in: ['csv'] },
    { key: 'state', value: (row) => cellOf(row).state, in: ['csv'] },
  ];
}

/** Every cell with its load time, and its network and device activity. */
export function cellTable(figures: readonly PageStatistics[]): Table {
  const hasDevice = figures.some(isSlow);
  const onDevice = <Value>(value: Value) => (hasDevice ? value : undefined);
  const columns: Column<PageStatistics>[] = [
    ...factors(({ cell }: PageStatistics) => cell),
    {
      key: 'delay',
      title: 'Delay, ms',
      brief: 'Delay',
      value: ({ cell }) => onDevice(cell.delayMs),
      kind: 'name',
      in: ['html', 'text'],
    },
    {
      key: 'delivered',
      title: 'Delivered',
      value: ({ cell }) => pageArmLabels[cell.arm],
      kind: 'name',
      in: ['html'],
    },
    {
      key: 'delivered',
      title: 'Arm',
      value: ({ cell }) => (cell.arm === 'dictionary' ? 'dcb' : cell.arm),
      kind: 'name',
      in: ['text'],
    },
    {
      key: 'load',
      title: 'Load',
      value: ({ cell }) => pageStateLabels[cell.state],
      kind: 'name',
      in: ['html'],
    },
    { key: 'load', title: 'Load', value: ({ cell }) => cell.state, kind: 'name', in: ['text'] },
    { key: 'loads', value: ({ loads }) => loads, in: ['csv'] },
    { key: 'flagged', value: ({ flagged }) => flagged, in: ['csv'] },
    {
      key: 'load_ms',
      title: 'Load time, ms',
      brief: 'Load, ms',
      value: ({ loadMs }) => loadMs,
      interval: ({ lowMs: low, highMs: high }) =>
        low === null || high === null ? null : { low, high },
    },
    {
      key: 'dom_content_loaded_ms',
      value: ({ domContentLoadedMs }) => domContentLoadedMs,
      in: ['csv'],
    },
    {
      key: 'finish_ms',
      title: 'Last resource',
      value: ({ finishMs }) => finishMs,
      unit: 'ms',
      in: ['html', 'csv'],
    },
    {
      key: 'requested',
      title: 'Requested',
      value: ({ asked }) => asked,
      in: hasDevice ? ['html', 'csv'] : ['html', 'text', 'csv'],
    },
    { key: 'sent_bytes', title: 'Sent', value: ({ sentBytes }) => sentBytes, unit: 'B' },
    {
      key: 'device_reads',
      title: 'Device reads',
      brief: 'Reads',
      value: ({ deviceReads }) => onDevice(deviceReads),
    },
    {
      key: 'device_read_bytes',
      title: 'Read',
      value: ({ deviceReadBytes }) => onDevice(deviceReadBytes),
      unit: 'B',
    },
    {
      key: 'sources',
      title: 'Sources',
      value: sourcesText,
      kind: 'word',
      in: ['html'],
    },
  ];
  return tableOf({
    columns,
    rows: figures,
    group: () => ({
      title: 'Each kind of load',
      caption:
        'Medians over the loads of each kind, with 95 % intervals of the load time. Requested: resources requested from the origin. Sources: those of the load nearest to the median.',
    }),
    file: 'cells.csv',
  });
}

/** For example `12 (disk cache), 3 network`. */
export function sourcesText({ sources }: Pick<PageStatistics, 'sources'>): string {
  return sources.map(({ source, count }) => `${count} ${answerText(source)}`).join(', ');
}

/** Where the resources of each cell came from. */
export function sourceTable(figures: readonly PageStatistics[]): Table {
  return tableOf({
    columns: [
      { key: 'load', title: 'Load', value: nameOf, kind: 'name' },
      { key: 'sources', title: 'Sources', value: sourcesText, kind: 'word' },
    ],
    rows: figures,
    group: () => ({ title: 'Sources of the resources, in the load nearest to the median' }),
    in: ['report'],
  });
}

/** Name of the cell of a row. */
export function nameOf({ cell }: InCell): string {
  return `${pageCellName(cell)}${isSlow({ cell }) ? `, ${digits(cell.delayMs)} ms` : ''}`;
}

/** One resource in one load. */
export interface LoadedResource {
  load: PageLoad;
  row: PageLoad['rows'][number];
  resource: Page['resources'][number] | undefined;
  requestedBy: string;
}

/** The resources of loads, in their order, each with what requested it. */
export function loadedResources({ resources }: Page, loads: readonly PageLoad[]): LoadedResource[] {
  return loads.flatMap((load) =>
    load.rows.map((row) => {
      const resource = resources[row.place];
      const parent = resource?.parent ?? null;
      const requestedBy = parent === null ? 'the navigation' : (resources[parent]?.name ?? '');
      return { load, row, resource, requestedBy };
    }),
  );
}

const resourceColumns: readonly Column<LoadedResource>[] = [
  { key: 'load', value: ({ load }) => load.sequence, in: ['csv'] },
  ...factors(({ load }: LoadedResource) => load.cell),
  { key: 'flags', value: ({ load }) => load.flags.join(' '), in: ['csv'] },
  { key: 'place', value: ({ row }) => row.place, kind: 'name', in: ['csv'] },
  { key: 'parent', value: ({ resource }) => resource?.parent, in: ['csv'] },
  { key: 'url', value: ({ resource }) => resource?.url, in: ['csv'] },
  {
    key: 'name',
    title: 'Resource',
    value: ({ resource }) => resource?.name ?? null,
    kind: 'name',
    in: ['html'],
  },
  { key: 'type', title: 'Type', value: ({ resource }) => resource?.type ?? null, kind: 'name' },
  {
    key: 'caching',
    title: 'Caching',
    value: ({ resource }) => resource?.caching ?? null,
    kind: 'name',
  },
  {
    key: 'requested_by',
    title: 'Requested by',
    value: ({ requestedBy }) => requestedBy,
    kind: 'name',
    in: ['html'],
  },
  { key: 'body_bytes', value: ({ row }) => row.bodyBytes, in: ['csv'] },
  {
    key: 'decoded_bytes',
    title: 'Body',
    value: ({ resource }) => resource?.bodyBytes ?? null,
    unit: 'B',
    kind: 'name',
    in: ['html'],
  },
  {
    key: 'duration_ms',
    title: 'Time',
    value: ({ row: { startMs, endMs } }) =>
      startMs === null || endMs === null ? null : endMs - startMs,
    unit: 'ms',
    in: ['html'],
  },
  {
    key: 'source',
    title: 'Source',
    value: ({ row }) => row.source,
    text: ({ row }) => answerText(row.source ?? 'unknown'),
    kind: 'word',
  },
  { key: 'start_ms', value: ({ row }) => row.startMs, in: ['csv'] },
  { key: 'response_start_ms', value: ({ row }) => row.responseStartMs, in: ['csv'] },
  { key: 'end_ms', value: ({ row }) => row.endMs, in: ['csv'] },
  { key: 'requests', value: ({ row }) => row.requests, in: ['csv'] },
  { key: 'coding', value: ({ row }) => row.coding, in: ['csv'] },
  { key: 'sent_bytes', value: ({ row }) => row.sentBytes, in: ['csv'] },
];

/** Every resource: in the page those of the representative loads, in the CSV file those of every load. */
export function resourceTable(
  page: Page,
  loads: readonly PageLoad[],
  shown: readonly RepresentativeLoad[],
): Table {
  const rows = loadedResources(
    page,
    shown.map(({ load }) => load),
  );
  return tableOf({
    columns: resourceColumns,
    rows: (form) => (form === 'csv' ? loadedResources(page, loads) : rows),
    group: () => ({
      title: 'Each resource',
      caption:
        'Time of each resource from request to last byte, and its source, in the load nearest to the median of its kind.',
    }),
    across: ({ load }) => pageCellName(load.cell),
    file: 'resources.csv',
    in: ['html'],
  });
}
