import type { Comparison } from '../statistics/comparison.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { Change } from './change.ts';
import {
  clientLabels,
  type TransferCell,
  type TransferLane,
  type TransferProtocol,
} from './sample.ts';

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
export interface TransferCurve extends TransferLane {
  points: TransferPoint[];
  change: Change;
}

/** The curves of one client and connection state are shown together. */
export function curveGroup({ client, connection }: Omit<TransferLane, 'protocol'>) {
  const label = `${clientLabels[client]}, ${connection} connection`;
  return { id: `${client}-${connection}`, client, connection, label };
}

/** A protocol against the baseline at one size. */
export interface ProtocolVerdict extends Omit<TransferCell, 'protocol'> {
  of: TransferProtocol;
  against: TransferProtocol;
  comparison: Comparison;
  verdict: Verdict;
}

/** The verdict on a cell; undefined for the protocol that the others are compared with. */
export function verdictOn(
  { client, connection, protocol, responseBytes }: TransferCell,
  verdicts: readonly ProtocolVerdict[],
): ProtocolVerdict | undefined {
  return verdicts.find(
    (each) =>
      each.client === client &&
      each.connection === connection &&
      each.of === protocol &&
      each.responseBytes === responseBytes,
  );
}
