import type { Change } from './change.ts';
import type { ConnectionState, TransferCell, TransferClient, TransferProtocol } from './sample.ts';

/** One cell: repeated responses of one size. Times in ms; null: unknown, never 0. */
export interface TransferPoint {
  cell: TransferCell;
  /** Samples in the statistics. */
  samples: number;
  flagged: number;
  medianMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** medianMs divided by the round trip; null when either is unknown. */
  roundTrips: number | null;
  /** Medians of the phases; null when no sample has the phase. */
  connectMs: number | null;
  waitMs: number | null;
  downloadMs: number | null;
  originMs: number | null;
}

/** All sizes of one client, protocol and connection state. */
export interface TransferCurve {
  client: TransferClient;
  protocol: TransferProtocol;
  connection: ConnectionState;
  points: TransferPoint[];
  change: Change;
}
