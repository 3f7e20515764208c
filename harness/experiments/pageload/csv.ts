import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { PageCell, PageLoad } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';

const precision = 9;

const cellColumns: CsvColumns<{ cell: PageCell }> = {
  storage: ({ cell }) => cell.storage,
  delay_ms: ({ cell }) => cell.delayMs,
  arm: ({ cell }) => cell.arm,
  state: ({ cell }) => cell.state,
};

const figureColumns: CsvColumns<PageloadSummary['figures'][number]> = {
  ...cellColumns,
  loads: ({ loads }) => loads,
  flagged: ({ flagged }) => flagged,
  load_ms: ({ loadMs }) => loadMs,
  low_ms: ({ lowMs }) => lowMs,
  high_ms: ({ highMs }) => highMs,
  dom_content_loaded_ms: ({ domContentLoadedMs }) => domContentLoadedMs,
  finish_ms: ({ finishMs }) => finishMs,
  asked: ({ asked }) => asked,
  sent_bytes: ({ sentBytes }) => sentBytes,
  device_reads: ({ deviceReads }) => deviceReads,
  device_read_bytes: ({ deviceReadBytes }) => deviceReadBytes,
};

/** The values of every cell, one line each; an empty field: unknown. */
export function pageloadCellsCsv({ figures }: PageloadSummary): string {
  return csvOf(figureColumns, figures, { precision });
}

interface LoadedResource extends PageLoad {
  row: PageLoad['rows'][number];
  resource: Page['resources'][number] | undefined;
}

const resourceColumns: CsvColumns<LoadedResource> = {
  load: ({ sequence }) => sequence,
  ...cellColumns,
  flags: ({ flags }) => flags.join(' '),
  place: ({ row }) => row.place,
  parent: ({ resource }) => resource?.parent,
  url: ({ resource }) => resource?.url,
  type: ({ resource }) => resource?.type,
  caching: ({ resource }) => resource?.caching,
  body_bytes: ({ row }) => row.bodyBytes,
  source: ({ row }) => row.source,
  start_ms: ({ row }) => row.startMs,
  response_start_ms: ({ row }) => row.responseStartMs,
  end_ms: ({ row }) => row.endMs,
  requests: ({ row }) => row.requests,
  coding: ({ row }) => row.coding,
  sent_bytes: ({ row }) => row.sentBytes,
};

/** Every resource of every load, one line each; an empty field: unknown. */
export function pageloadResourcesCsv({ resources }: Page, loads: readonly PageLoad[]): string {
  const rows = loads.flatMap((load) =>
    load.rows.map((row) => ({ ...load, row, resource: resources[row.place] })),
  );
  return csvOf(resourceColumns, rows, { precision });
}
