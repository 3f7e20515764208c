import { type PublishedRow, publishedRows } from '@cachescope/model/fill/history.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { percentText } from '@cachescope/model/fill/summary.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';

const titles = [
  'System',
  'Origin requests',
  'Origin bytes',
  'Origin Mbps',
  'Requests',
  'Bytes',
  'Mbps',
  'Byte wait',
  'First byte',
  'Hit rate',
];

function seconds(ms: number | null): string {
  return ms === null ? unknownText : `${(ms / 1000).toFixed(2)} s`;
}

/** The benchmark's table of one suite: our rows, then its published rows for context. */
export function fillTable({ title, suite, rows }: FillSuiteSummary): TemplateResult {
  const published = publishedRows
    .filter((row) => row.suite === suite.name)
    .map((row) => ({ ...row, system: `${row.system}, published` }));
  return plainTable({ label: title, titles }, [...rows, ...published].map(cellsOf));
}

function cellsOf({ system, measures }: Pick<PublishedRow, 'system' | 'measures'>): string[] {
  return [
    system,
    `${measures.originRequests}`,
    byteSize(measures.originBytes),
    digits(measures.originMbps),
    `${measures.requests}`,
    byteSize(measures.bytes),
    digits(measures.mbps),
    seconds(measures.byteWaitMs),
    seconds(measures.firstByteMs.mean),
    percentText(measures.hitRate),
  ];
}
