import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';

interface Row {
  point: TransferSummary['curves'][number]['points'][number];
  /** Its comparison with the first protocol. */
  against: TransferSummary['verdicts'][number] | undefined;
}

const columns: CsvColumns<Row> = {
  client: ({ point }) => point.cell.client,
  protocol: ({ point }) => point.cell.protocol,
  connection: ({ point }) => point.cell.connection,
  response_bytes: ({ point }) => point.cell.responseBytes,
  samples: ({ point }) => point.samples,
  flagged: ({ point }) => point.flagged,
  median_ms: ({ point }) => point.medianMs,
  low_ms: ({ point }) => point.lowMs,
  high_ms: ({ point }) => point.highMs,
  round_trips: ({ point }) => point.roundTrips,
  connect_ms: ({ point }) => point.connectMs,
  wait_ms: ({ point }) => point.waitMs,
  download_ms: ({ point }) => point.downloadMs,
  origin_ms: ({ point }) => point.originMs,
  verdict: ({ against }) => against?.verdict.outcome,
  difference_ms: ({ against }) => against?.comparison.difference,
  p: ({ against }) => against?.verdict.p,
};

/** One row per cell with all its values, and its verdict against the first protocol. An empty field: unknown. */
export function transferCsv({ curves, verdicts }: TransferSummary): string {
  const points = curves.flatMap((curve) => curve.points);
  const rows = points.map((point) => ({
    point,
    against: verdicts.find(
      ({ client, connection, of, responseBytes }) =>
        client === point.cell.client &&
        connection === point.cell.connection &&
        of === point.cell.protocol &&
        responseBytes === point.cell.responseBytes,
    ),
  }));
  return csvOf(columns, rows);
}
