import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import type { MicroSummary } from '@cachescope/model/micro/summary.ts';

const columns: CsvColumns<MicroStatistics> = {
  part: ({ cell }) => cell.part,
  cache: ({ cell }) => cell.cache,
  row: ({ cell }) => cell.row,
  bytes: ({ cell }) => cell.bytes,
  state: ({ cell }) => cell.state,
  back_end: ({ cell }) => cell.backEnd,
  entries: ({ cell }) => cell.entries,
  storage: ({ cell }) => cell.storage,
  delay_ms: ({ cell }) => cell.delayMs,
  runs: ({ runs }) => runs,
  total_ms: ({ totalMs }) => totalMs,
  average_ms: ({ averageMs }) => averageMs,
  median_ms: ({ medianMs }) => medianMs,
  low_ms: ({ lowMs }) => lowMs,
  high_ms: ({ highMs }) => highMs,
  p95_ms: ({ p95Ms }) => p95Ms,
  batch: ({ batch }) => batch,
  resolution_ms: ({ resolutionMs }) => resolutionMs,
  below_resolution: ({ belowResolution }) => belowResolution,
  launches: ({ launches }) => launches,
  flagged_slices: ({ flagged }) => flagged,
};

/** All values, one line per cell; an empty field: unknown or not applicable. */
export function microCsv({ figures }: MicroSummary): string {
  return csvOf(columns, figures, { precision: 6 });
}
