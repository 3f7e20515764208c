import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import type { MicroSummary } from '@cachescope/model/micro/summary.ts';

const head = [
  'part',
  'cache',
  'row',
  'bytes',
  'state',
  'back_end',
  'entries',
  'storage',
  'delay_ms',
  'runs',
  'total_ms',
  'average_ms',
  'median_ms',
  'low_ms',
  'high_ms',
  'p95_ms',
  'batch',
  'resolution_ms',
  'below_resolution',
  'launches',
  'flagged_slices',
];

/** All values, one line per cell; an empty field: unknown or not applicable. */
export function microCsv({ figures }: MicroSummary): string {
  const lines = figures.map(({ cell, ...figure }) => [
    cell.part,
    cell.cache,
    cell.row,
    cell.bytes,
    cell.state,
    cell.backEnd,
    cell.entries,
    cell.storage,
    cell.delayMs,
    figure.runs,
    figure.totalMs,
    figure.averageMs,
    figure.medianMs,
    figure.lowMs,
    figure.highMs,
    figure.p95Ms,
    figure.batch,
    figure.resolutionMs,
    figure.belowResolution,
    figure.launches,
    figure.flagged,
  ]);
  const rounded = (value: CsvCell) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  return csvText(
    head,
    lines.map((line) => line.map(rounded)),
  );
}
