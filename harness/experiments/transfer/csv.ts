import { csvText } from '@cachescope/model/csv.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';

const header = [
  'client',
  'protocol',
  'connection',
  'response_bytes',
  'samples',
  'flagged',
  'median_ms',
  'low_ms',
  'high_ms',
  'round_trips',
  'connect_ms',
  'wait_ms',
  'download_ms',
  'origin_ms',
  'verdict',
  'difference_ms',
  'p',
];

/** One row per cell with all its values, and its verdict against the first protocol. An empty field: unknown. */
export function transferCsv({ curves, verdicts }: TransferSummary): string {
  const rows = curves
    .flatMap(({ points }) => points)
    .map((point) => {
      const { cell } = point;
      const against = verdicts.find(
        ({ client, connection, of, responseBytes }) =>
          client === cell.client &&
          connection === cell.connection &&
          of === cell.protocol &&
          responseBytes === cell.responseBytes,
      );
      return [
        cell.client,
        cell.protocol,
        cell.connection,
        cell.responseBytes,
        point.samples,
        point.flagged,
        point.medianMs,
        point.lowMs,
        point.highMs,
        point.roundTrips,
        point.connectMs,
        point.waitMs,
        point.downloadMs,
        point.originMs,
        against?.verdict.outcome,
        against?.comparison.difference,
        against?.verdict.p,
      ];
    });
  return csvText(header, rows);
}
