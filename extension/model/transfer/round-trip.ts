import { greatest, least } from '../extremes.ts';
import { median } from '../statistics/quantile.ts';
import { hasNoRoundTrip, isTunnel } from './link.ts';
import type { TransferRun } from './run.ts';

/** The round trip used as the unit of times. */
export interface RoundTrip {
  /** The measurement it comes from. */
  by: 'TCP connect' | 'empty request';
  /** Median, ms; null when none was measured. */
  ms: number | null;
  /** Medians of both measurements, ms; null when there are none. */
  tcpConnectMs: number | null;
  emptyRequestMs: number | null;
  /** Largest median of a proof divided by the smallest, minus 1; null with fewer than two proofs. */
  drift: number | null;
}

/**
 * Chooses the round trip. A TCP handshake involves only the network, so it is used whenever there is a network. Over
 * loopback it takes 30 µs and is not a network round trip, nor is it with a tunnel, which ends at its near end; and a
 * server delay is not part of a handshake. In these cases the empty request is used, which includes the server delay
 * once.
 */
export function roundTripOf({ roundTrips, plan, link }: TransferRun): RoundTrip {
  const isInHandshake = plan.serverDelayMs === 0 && !hasNoRoundTrip(link) && !isTunnel(link);
  const middle = (field: 'tcpConnectMs' | 'emptyRequestMs') =>
    median(roundTrips.flatMap((proof) => proof[field]));
  const field = isInHandshake ? 'tcpConnectMs' : 'emptyRequestMs';
  const medians = roundTrips.flatMap((proof) => median(proof[field]) ?? []);
  return {
    by: isInHandshake ? 'TCP connect' : 'empty request',
    ms: middle(field),
    tcpConnectMs: middle('tcpConnectMs'),
    emptyRequestMs: middle('emptyRequestMs'),
    drift: medians.length < 2 ? null : greatest(medians) / least(medians) - 1,
  };
}
