import { type PublishedRow, publishedRows } from '@cachescope/model/fill/history.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { percentText } from '@cachescope/model/fill/summary.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';

const head = ['', 'asked', 'Mbps', 'origin', 'Mbps', 'byte wait', '1st byte', 'hit rate'];

function seconds(ms: number | null): string {
  return ms === null ? unknownText : `${(ms / 1000).toFixed(2)} s`;
}

/** The columns of the nginx tempfiles benchmark, 80 columns. */
function table(rows: readonly Pick<PublishedRow, 'system' | 'measures'>[]): string {
  const cells = rows.map(({ system, measures }) => [
    system,
    `${measures.requests}`,
    digits(measures.mbps),
    `${measures.originRequests}`,
    digits(measures.originMbps),
    seconds(measures.byteWaitMs),
    seconds(measures.firstByteMs.mean),
    percentText(measures.hitRate),
  ]);
  return plainTable(head, 1, cells);
}

/** The rows of this run. */
export function suiteTable({ rows }: FillSuiteSummary): string {
  return table(rows);
}

/** The rows that the benchmark published for this suite; null: it published none. */
export function publishedTable({ suite }: FillSuiteSummary): string | null {
  const rows = publishedRows.filter((row) => row.suite === suite.name);
  return rows.length === 0 ? null : table(rows);
}
