import { median } from '../statistics/quantile.ts';
import { type Link, type LinkProof, type LinkUse, roundTripMsOf } from './link.ts';

/**
 * A round trip may be off by this, ms, and by this share. Of a link without jitter the shortest counts: the others are
 * longer by the waits of a busy machine, which are not the link's.
 */
const roundTripTolerance = { ms: 0.2, share: 0.02 };
const rateTolerance = 0.03;

const byValue = (one: number, other: number): number => one - other;

/** How a link differed from what was set, before or after measurements; empty: it did not. */
export function useDepartures(link: Link, { before, after }: LinkUse): string[] {
  return [before, after].flatMap((proof) => (proof ? linkDepartures(link, proof) : []));
}

/** How a link differs from what was set: a sentence for each property that is off; empty: none is. */
export function linkDepartures(link: Link, proof: LinkProof): string[] {
  const expectedMs = roundTripMsOf(link);
  const hasJitter = link.up.jitterMs + link.down.jitterMs > 0;
  const typical = (ms: readonly number[]) =>
    hasJitter ? median(ms) : (ms.toSorted(byValue)[0] ?? null);
  const limitMs = roundTripTolerance.ms + roundTripTolerance.share * expectedMs;
  const roundTrips = [
    { what: 'UDP echo', ms: typical(proof.udpEchoMs) },
    { what: 'TCP connect', ms: typical(proof.tcpConnectMs) },
  ].flatMap(({ what, ms }) => {
    if (ms !== null && Math.abs(ms - expectedMs) <= limitMs) return [];
    const took = ms === null ? 'is unknown' : `takes ${ms.toFixed(2)} ms`;
    return [`a round trip by ${what} ${took}, ${expectedMs} ms were set`];
  });
  const rates = [
    { what: 'up', set: link.up.bitsPerSecond, measured: proof.upBitsPerSecond },
    { what: 'down', set: link.down.bitsPerSecond, measured: proof.downBitsPerSecond },
  ].flatMap(({ what, set, measured }) => {
    if (set === null) return [];
    if (measured !== null && Math.abs(measured / set - 1) <= rateTolerance) return [];
    const found = measured === null ? 'is unknown' : `is ${(measured / 1e6).toFixed(3)} Mbit/s`;
    return [`the rate ${what} ${found}, ${set / 1e6} Mbit/s were set`];
  });
  return [...roundTrips, ...rates];
}
