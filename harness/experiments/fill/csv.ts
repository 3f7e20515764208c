import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { FillRow } from '@cachescope/model/fill/summary.ts';
import type { FillSummary } from '@cachescope/model/fill/summary.ts';

const quantities = ['mean', 'p50', 'p95', 'max'] as const;

function quantitiesOf(
  name: string,
  distribution: 'firstByteMs' | 'byteWaits' | 'durations',
): CsvColumns<FillRow> {
  return Object.fromEntries(
    quantities.map((each) => [`${name}Ms_${each}`, ({ measures }) => measures[distribution][each]]),
  );
}

const counts = [
  'originRequests',
  'originBytes',
  'originMbps',
  'requests',
  'bytes',
  'mbps',
] as const;

const columns: CsvColumns<FillRow> = {
  suite: ({ suite }) => suite,
  system: ({ system }) => system,
  trials: ({ trials }) => trials,
  ...Object.fromEntries(counts.map((name) => [name, ({ measures }: FillRow) => measures[name]])),
  averageByteWaitMs: ({ measures }) => measures.byteWaitMs,
  hitRate: ({ measures }) => measures.hitRate,
  ...quantitiesOf('firstByte', 'firstByteMs'),
  ...quantitiesOf('byteWait', 'byteWaits'),
  ...quantitiesOf('duration', 'durations'),
  flagged: ({ measures }) => Object.values(measures.flagged).reduce((sum, count) => sum + count, 0),
  busiest: ({ busiest }) => busiest,
};

/** One row per suite and system (RFC 4180). An empty cell: unknown. Times in ms, hit rate from 0 to 1. */
export function fillCsv({ suites }: FillSummary): string {
  return csvOf(
    columns,
    suites.flatMap((suite) => suite.rows),
    { lineEnd: '\r\n' },
  );
}
