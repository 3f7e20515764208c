import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';

const quantities = [
  { title: 'First byte', of: 'firstByteMs' },
  { title: 'Byte wait', of: 'byteWaits' },
  { title: 'Whole request', of: 'durations' },
] as const;

const points = [
  { title: 'median', of: 'p50' },
  { title: '95 %', of: 'p95' },
] as const;

function seconds(ms: number | null): string {
  return ms === null ? unknownText : (ms / 1000).toFixed(2);
}

/** The distribution over the requests of each system, s. */
export function distributionTable({ title, rows }: FillSuiteSummary): TemplateResult {
  const columns = quantities.flatMap((quantity) => points.map((point) => ({ quantity, point })));
  return plainTable(
    {
      label: `${title}: distributions over requests`,
      titles: [
        'Over requests, s',
        ...columns.map(({ quantity, point }) => `${quantity.title}, ${point.title}`),
      ],
    },
    rows.map(({ system, measures }) => [
      system,
      ...columns.map(({ quantity, point }) => seconds(measures[quantity.of][point.of])),
    ]),
  );
}
