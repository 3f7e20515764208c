import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import {
  type ProtocolVerdict,
  type TransferPoint,
  verdictOn,
} from '@cachescope/model/transfer/curve.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';

interface Row {
  point: TransferPoint;
  /** Its comparison with the first protocol. */
  against: ProtocolVerdict | undefined;
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
  const rows = points.map((point) => ({ point, against: verdictOn(point.cell, verdicts) }));
  return csvOf(columns, rows);
}
