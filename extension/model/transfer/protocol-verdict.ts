import type { Comparison } from '../statistics/comparison.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { ConnectionState, TransferClient, TransferProtocol } from './sample.ts';

/** A protocol against the baseline at one size. */
export interface ProtocolVerdict {
  client: TransferClient;
  connection: ConnectionState;
  of: TransferProtocol;
  against: TransferProtocol;
  responseBytes: number;
  comparison: Comparison;
  verdict: Verdict;
}
