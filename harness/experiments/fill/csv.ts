import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import type { FillDistribution } from '@cachescope/model/fill/measures.ts';
import type { FillRow } from '@cachescope/model/fill/suite-summary.ts';
import type { FillSummary } from '@cachescope/model/fill/summary.ts';

const distributions = ['firstByte', 'byteWait', 'duration'];
const quantities = ['mean', 'p50', 'p95', 'max'] as const;

const header = [
  'suite',
  'system',
  'trials',
  'originRequests',
  'originBytes',
  'originMbps',
  'requests',
  'bytes',
  'mbps',
  'averageByteWaitMs',
  'hitRate',
  ...distributions.flatMap((name) => quantities.map((quantity) => `${name}Ms_${quantity}`)),
  'flagged',
  'busiest',
];

/** One row per suite and system (RFC 4180). An empty cell: unknown. Times in ms, hit rate from 0 to 1. */
export function fillCsv({ suites }: FillSummary): string {
  const rows = suites.flatMap((suite) => suite.rows.map(cells));
  return csvText(header, rows, '\r\n');
}

function cells({ suite, system, trials, measures, busiest }: FillRow): CsvCell[] {
  const { firstByteMs, byteWaits, durations, flagged } = measures;
  const all = [firstByteMs, byteWaits, durations].flatMap(distributionCells);
  const flags = Object.values(flagged).reduce((sum, count) => sum + count, 0);
  return [
    suite,
    system,
    trials,
    measures.originRequests,
    measures.originBytes,
    measures.originMbps,
    measures.requests,
    measures.bytes,
    measures.mbps,
    measures.byteWaitMs,
    measures.hitRate,
    ...all,
    flags,
    busiest,
  ];
}

function distributionCells(distribution: FillDistribution): CsvCell[] {
  return quantities.map((quantity) => distribution[quantity]);
}
