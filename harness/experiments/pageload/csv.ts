import { type CsvCell, type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { PageCell, PageLoad } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';

const precision = 9;

/** Columns with the values of fields, under the names of the fields in snake case: `load_ms` for `loadMs`. */
function columnsOf<Row, Part extends object>(
  partOf: (row: Row) => Part | undefined,
  ...fields: (keyof Part & string)[]
): CsvColumns<Row> {
  const nameOf = (field: string) =>
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    fields.map((field) => [nameOf(field), (row: Row) => partOf(row)?.[field] as CsvCell]),
  );
}

const cellOf = ({ cell }: { cell: PageCell }) => cell;
const cellFields = ['storage', 'delayMs', 'arm', 'state'] as const;

type Figure = PageloadSummary['figures'][number];

const figureColumns: CsvColumns<Figure> = {
  ...columnsOf(cellOf, ...cellFields),
  ...columnsOf((figure: Figure) => figure, 'loads', 'flagged', 'loadMs', 'lowMs', 'highMs'),
  ...columnsOf((figure: Figure) => figure, 'domContentLoadedMs', 'finishMs'),
  requested: ({ asked }) => asked,
  ...columnsOf((figure: Figure) => figure, 'sentBytes', 'deviceReads', 'deviceReadBytes'),
};

/** The values of every cell, one line each; an empty field: unknown. */
export function pageloadCellsCsv({ figures }: PageloadSummary): string {
  return csvOf(figureColumns, figures, { precision });
}

interface LoadedResource extends PageLoad {
  row: PageLoad['rows'][number];
  resource: Page['resources'][number] | undefined;
}

const rowOf = ({ row }: LoadedResource) => row;

const resourceColumns: CsvColumns<LoadedResource> = {
  load: ({ sequence }) => sequence,
  ...columnsOf(cellOf, ...cellFields),
  flags: ({ flags }) => flags.join(' '),
  ...columnsOf(rowOf, 'place'),
  ...columnsOf(({ resource }: LoadedResource) => resource, 'parent', 'url', 'type', 'caching'),
  ...columnsOf(rowOf, 'bodyBytes', 'source', 'startMs', 'responseStartMs', 'endMs'),
  ...columnsOf(rowOf, 'requests', 'coding', 'sentBytes'),
};

/** Every resource of every load, one line each; an empty field: unknown. */
export function pageloadResourcesCsv({ resources }: Page, loads: readonly PageLoad[]): string {
  const rows = loads.flatMap((load) =>
    load.rows.map((row) => ({ ...load, row, resource: resources[row.place] })),
  );
  return csvOf(resourceColumns, rows, { precision });
}
