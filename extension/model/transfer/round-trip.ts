import { greatest, least } from '../extremes.ts';
import { median } from '../statistics/quantile.ts';
import { hasNoRoundTrip, isTunnel } from './link.ts';
import type { TransferRun } from './run.ts';

/** The round trip that times are told as multiples of. */
export interface RoundTrip {
  /** Which measurement it is. */
  by: 'TCP connect' | 'empty request';
  /** Median, ms; null when none was measured. */
  ms: number | null;
  /** Median of the other one, ms; null when none was measured. */
  tcpConnectMs: number | null;
  emptyRequestMs: number | null;
  /** Largest median of a proof over the smallest, less 1; null with fewer than two proofs. */
  drift: number | null;
}

/**
 * Chooses the round trip. A TCP handshake is the network's alone, so it is taken wherever there is a network. Over loopback it
 * takes 30 µs and says nothing, as it does to a tunnel's near end, and a server delay is in no handshake: then it is the empty
 * request, which waits for it once.
 */
export function roundTripOf({ roundTrips, plan, link }: TransferRun): RoundTrip {
  const middle = (field: 'tcpConnectMs' | 'emptyRequestMs') =>
    median(roundTrips.flatMap((proof) => proof[field]));
  const isInHandshake = plan.serverDelayMs === 0 && !hasNoRoundTrip(link) && !isTunnel(link);
  const by = isInHandshake ? 'TCP connect' : 'empty request';
  const field = by === 'TCP connect' ? 'tcpConnectMs' : 'emptyRequestMs';
  const [tcpConnectMs, emptyRequestMs] = [middle('tcpConnectMs'), middle('emptyRequestMs')];
  const medians = roundTrips.flatMap((proof) => median(proof[field]) ?? []);
  return {
    by,
    ms: by === 'TCP connect' ? tcpConnectMs : emptyRequestMs,
    tcpConnectMs,
    emptyRequestMs,
    drift: medians.length < 2 ? null : greatest(medians) / least(medians) - 1,
  };
}
