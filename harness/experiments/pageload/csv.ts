import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import type { PageLoad } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';

/** Numbers are rounded to nine significant digits. */
function csv(head: readonly string[], lines: readonly (readonly CsvCell[])[]): string {
  const rounded = (value: CsvCell) =>
    typeof value === 'number' ? Number(value.toPrecision(9)) : value;
  return csvText(
    head,
    lines.map((line) => line.map(rounded)),
  );
}

const cellHead = ['storage', 'delay_ms', 'arm', 'state'];

/** The values of every cell, one line each; an empty field: unknown. */
export function pageloadCellsCsv({ figures }: PageloadSummary): string {
  const head = [
    ...cellHead,
    'loads',
    'flagged',
    'load_ms',
    'low_ms',
    'high_ms',
    'dom_content_loaded_ms',
    'finish_ms',
    'asked',
    'sent_bytes',
    'device_reads',
    'device_read_bytes',
  ];
  const lines = figures.map(({ cell, ...figure }) => [
    cell.storage,
    cell.delayMs,
    cell.arm,
    cell.state,
    figure.loads,
    figure.flagged,
    figure.loadMs,
    figure.lowMs,
    figure.highMs,
    figure.domContentLoadedMs,
    figure.finishMs,
    figure.asked,
    figure.sentBytes,
    figure.deviceReads,
    figure.deviceReadBytes,
  ]);
  return csv(head, lines);
}

/** Every resource of every load, one line each; an empty field: unknown. */
export function pageloadResourcesCsv({ resources }: Page, loads: readonly PageLoad[]): string {
  const head = [
    'load',
    ...cellHead,
    'flags',
    'place',
    'parent',
    'url',
    'type',
    'caching',
    'body_bytes',
    'source',
    'start_ms',
    'response_start_ms',
    'end_ms',
    'requests',
    'coding',
    'sent_bytes',
  ];
  const lines = loads.flatMap(({ sequence, cell, flags, rows }) =>
    rows.map((row) => {
      const resource = resources[row.place];
      return [
        sequence,
        cell.storage,
        cell.delayMs,
        cell.arm,
        cell.state,
        flags.join(' '),
        row.place,
        resource?.parent,
        resource?.url,
        resource?.type,
        resource?.caching,
        row.bodyBytes,
        row.source,
        row.startMs,
        row.responseStartMs,
        row.endMs,
        row.requests,
        row.coding,
        row.sentBytes,
      ];
    }),
  );
  return csv(head, lines);
}
