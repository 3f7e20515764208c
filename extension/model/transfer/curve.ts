import type { Comparison } from '../statistics/comparison.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { Change } from './change.ts';
import type { Unpredicted } from './prediction.ts';
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
  /** The fastest one, ms: other programs add to the others; null without samples. */
  leastMs: number | null;
  /** medianMs divided by the round trip; null when either is unknown. */
  roundTrips: number | null;
  /** Predicted time over an emulated link, ms: the sum of its known parts; null: not predicted, or there is no link. */
  predictedMs: number | null;
  /** Part of the network: handshakes, slow start, bytes at the link's rate (prediction.ts); null as predictedMs. */
  networkMs: number | null;
  /** Part of both programs: the median of the same cell over loopback; null: unknown. */
  processingMs: number | null;
  /** Why it is not predicted; null: it is, or there is no link. */
  unpredicted: Unpredicted | null;
  /** What held up the sender by the kernel's count (ss), in words; empty: nothing, or it was not looked at. */
  heldUp: string[];
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

/** Whether a curve is predicted. */
export function isPredicted({ points }: TransferCurve): boolean {
  return points.some(({ predictedMs }) => predictedMs !== null);
}

/** The curves of one client, connection state and path are shown together. */
export function curveGroup({ client, connection, path }: Omit<TransferLane, 'protocol'>) {
  const way = path === undefined ? [] : [path];
  const id = [client, connection, ...way.map((name) => name.replaceAll(/\W+/g, '-'))].join('-');
  const label = [clientLabels[client], `${connection} connection`, ...way].join(', ');
  return { id, client, connection, path, label };
}

/** A protocol against the baseline at one size. */
export interface ProtocolVerdict extends Omit<TransferCell, 'protocol'> {
  of: TransferProtocol;
  against: TransferProtocol;
  comparison: Comparison;
  verdict: Verdict;
}

/** The first size that does not fit into the initial window of a path, against the last one that does. */
export interface WindowVerdict extends TransferLane {
  /** Bytes that the initial window holds. */
  windowBytes: number;
  /** Response bytes of both. */
  of: number;
  against: number;
  comparison: Comparison;
  verdict: Verdict;
}

/** A path against another that differs from it in one setting of the origin's TCP, for one cell. */
export interface PathVerdict extends Omit<TransferCell, 'path'> {
  /** Names of the paths. */
  of: string;
  against: string;
  comparison: Comparison;
  verdict: Verdict;
}

/** The verdict on a cell; undefined for the protocol that the others are compared with. */
export function verdictOn(
  { client, connection, protocol, responseBytes, path }: TransferCell,
  verdicts: readonly ProtocolVerdict[],
): ProtocolVerdict | undefined {
  return verdicts.find(
    (each) =>
      each.client === client &&
      each.connection === connection &&
      each.path === path &&
      each.of === protocol &&
      each.responseBytes === responseBytes,
  );
}
