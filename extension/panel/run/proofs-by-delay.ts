import { greatest, least } from '@cachescope/model/extremes.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';

/** All proofs of one delay on one disk. */
export interface ProvedDelay {
  storage: DelayProof['storage'];
  /** Absent in a run without variants. */
  variant?: string | undefined;
  /** Requested delay per read, ms. */
  requestedDelayMs: number;
  proofs: number;
  /** Number of direct 4 KiB reads in all proofs. */
  reads: number;
  /** Minimum, median and maximum of the proofs' medians, ms. */
  leastMs: number;
  medianMs: number;
  greatestMs: number;
  /** Greatest 95th percentile of all proofs, ms. */
  greatestP95Ms: number;
  /** Number of proofs whose median is outside tolerance. */
  off: number;
}

/** The proofs of a run by delay: the control first, then in ascending order. */
export function proofsByDelay(proofs: readonly DelayProof[]): ProvedDelay[] {
  const alike = Map.groupBy(proofs, ({ storage, variant, requestedDelayMs }) =>
    JSON.stringify([storage, variant, requestedDelayMs]),
  );
  const rank = ({ storage, requestedDelayMs }: ProvedDelay) =>
    storage === 'none' ? -1 : requestedDelayMs;
  return [...alike.values()].flatMap(provedDelay).toSorted((one, other) => rank(one) - rank(other));
}

function provedDelay(proofs: readonly DelayProof[]): ProvedDelay[] {
  const [first] = proofs;
  if (!first) return [];
  const { storage, variant, requestedDelayMs } = first;
  const mediansMs = proofs.map(({ p50Ms }) => p50Ms);
  return [
    {
      storage,
      variant,
      requestedDelayMs,
      proofs: proofs.length,
      reads: proofs.reduce((sum, { reads }) => sum + reads, 0),
      leastMs: least(mediansMs),
      medianMs: median(mediansMs) ?? first.p50Ms,
      greatestMs: greatest(mediansMs),
      greatestP95Ms: greatest(proofs.map(({ p95Ms }) => p95Ms)),
      off: proofs.filter(({ off }) => off).length,
    },
  ];
}
