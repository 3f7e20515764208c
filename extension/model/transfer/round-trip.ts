import { greatest, least } from '../extremes.ts';
import { mergedMachines } from '../run/merged-machines.ts';
import type { Shard } from '../run/shard.ts';
import { median } from '../statistics/quantile.ts';
import { hasNoRoundTrip, isTunnel, linkOf } from './link.ts';
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
  /** Largest median of a proof divided by the smallest, minus 1: of the machine where it is largest; null: unknown. */
  drift: number | null;
  /** The same of the medians of machines, in a run merged from shards; null with fewer than two machines. */
  betweenMachines: number | null;
}

/**
 * Chooses the round trip. A TCP handshake involves only the network, so it is used whenever there is a network. Over
 * loopback it takes 30 µs and is not a network round trip, nor is it with a tunnel, which ends at its near end; and a
 * server delay is not part of a handshake. In these cases the empty request is used, which includes the server delay
 * once.
 *
 * @param path the path; absent: the only one.
 */
export function roundTripOf(run: TransferRun, path?: string): RoundTrip {
  const { plan } = run;
  const link = linkOf(run, path);
  const ofPath = (proofs: TransferRun['roundTrips']) =>
    proofs.filter((proof) => proof.path === path);
  const roundTrips = ofPath(run.roundTrips);
  const isInHandshake = plan.serverDelayMs === 0 && !hasNoRoundTrip(link) && !isTunnel(link);
  const middle = (field: 'tcpConnectMs' | 'emptyRequestMs') =>
    median(roundTrips.flatMap((proof) => proof[field]));
  const field = isInHandshake ? 'tcpConnectMs' : 'emptyRequestMs';
  const machines = byMachine(run);
  const drifts = machines.flatMap(
    (proofs) => spreadOf(ofPath(proofs).flatMap((proof) => median(proof[field]) ?? [])) ?? [],
  );
  const medians = machines.flatMap(
    (proofs) => median(ofPath(proofs).flatMap((proof) => proof[field])) ?? [],
  );
  return {
    by: isInHandshake ? 'TCP connect' : 'empty request',
    ms: middle(field),
    tcpConnectMs: middle('tcpConnectMs'),
    emptyRequestMs: middle('emptyRequestMs'),
    drift: drifts.length === 0 ? null : greatest(drifts),
    betweenMachines: spreadOf(medians),
  };
}

/** The proofs of each machine; those of a run that was not merged are of one. */
function byMachine({ roundTrips, merged }: TransferRun): TransferRun['roundTrips'][] {
  if (!merged) return [roundTrips];
  // Each was validated as run.json of a transfer before the merge.
  const shards = merged.shards as unknown as (TransferRun & { shard: Shard })[];
  const names = mergedMachines(shards);
  const machines = Map.groupBy(shards, ({ shard }) => names.get(shard.number));
  return [...machines.values()].map((runs) => runs.flatMap((run) => run.roundTrips));
}

/** The largest value divided by the smallest, minus 1; null with fewer than two values. */
function spreadOf(values: readonly number[]): number | null {
  return values.length < 2 ? null : greatest(values) / least(values) - 1;
}
