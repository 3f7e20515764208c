import { publishedRows } from '@cachescope/model/fill/history.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { percentText } from '@cachescope/model/fill/summary.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';

const head = ['', 'asked', 'Mbps', 'origin', 'Mbps', 'byte wait', '1st byte', 'hit rate'];

function seconds(ms: number | null): string {
  return ms === null ? unknownText : `${(ms / 1000).toFixed(2)} s`;
}

/** A table with the columns of the nginx tempfiles benchmark and the rows of this run, 80 columns. */
export function suiteTable({ rows }: FillSuiteSummary): string {
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

/** The rows that the benchmark published for this suite; null: it published none. */
export function publishedTable({ suite }: FillSuiteSummary): string | null {
  const rows = publishedRows.filter((row) => row.suite === suite.name);
  if (rows.length === 0) return null;
  const cells = rows.map((row) => [
    row.system,
    `${row.requests}`,
    digits(row.mbps),
    `${row.originRequests}`,
    digits(row.originMbps),
    seconds(row.byteWaitS * 1000),
    seconds(row.firstByteS * 1000),
    percentText(row.hitRate / 100),
  ]);
  return plainTable(head, 1, cells);
}
