import type { Change } from './change.ts';
import type { ConnectionState, TransferCell, TransferClient, TransferProtocol } from './sample.ts';

/** One cell: so many answers of one size. Times in ms; null: unknown, never 0. */
export interface TransferPoint {
  cell: TransferCell;
  /** Samples in the statistics. */
  samples: number;
  flagged: number;
  medianMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** medianMs in round trips; null when either is unknown. */
  roundTrips: number | null;
  /** Medians of the parts; null where no sample knows them. */
  connectMs: number | null;
  waitMs: number | null;
  downloadMs: number | null;
  originMs: number | null;
}

/** All sizes of one client, protocol and state of the connection. */
export interface TransferCurve {
  client: TransferClient;
  protocol: TransferProtocol;
  connection: ConnectionState;
  points: TransferPoint[];
  change: Change;
}
