import { benchmarkColumns, publishedFor } from '@cachescope/model/fill/benchmark-table.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/summary.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';

/** The benchmark's table of one suite: our rows, then its published rows for context. */
export function fillTable({ title, suite, rows }: FillSuiteSummary): TemplateResult {
  const published = publishedFor(suite.name).map((row) => ({
    ...row,
    system: `${row.system}, published`,
  }));
  return plainTable(
    { label: title, titles: ['System', ...benchmarkColumns.map((column) => column.title)] },
    [...rows, ...published].map(({ system, measures }) => [
      system,
      ...benchmarkColumns.map(({ text }) => text(measures)),
    ]),
  );
}

const distributions = (
  [
    ['First byte', 'firstByteMs'],
    ['Byte wait', 'byteWaits'],
    ['Whole request', 'durations'],
  ] as const
).flatMap(([name, of]) => [
  { title: `${name}, median`, of, point: 'p50' } as const,
  { title: `${name}, 95 %`, of, point: 'p95' } as const,
]);

/** The distribution over the requests of each system, s. */
export function distributionTable({ title, rows }: FillSuiteSummary): TemplateResult {
  const seconds = (ms: number | null) => (ms === null ? unknownText : (ms / 1000).toFixed(2));
  return plainTable(
    {
      label: `${title}: distributions over requests`,
      titles: ['Over requests, s', ...distributions.map((column) => column.title)],
    },
    rows.map(({ system, measures }) => [
      system,
      ...distributions.map(({ of, point }) => seconds(measures[of][point])),
    ]),
  );
}
