import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Privilege } from '../privilege.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { attachStorage } from '../storage/storage.ts';
import { answered, type Finding, ok, refused, unknown, warning } from './finding.ts';

/** Delays of a calibration, ms. */
const calibrationDelaysMs = [0, 1, 2, 5, 10, 20, 50] as const;
const reads = 16;

/**
 * Measures a direct 4 KiB read of a storage at each delay of a calibration. A delay without a proof is left out: it is
 * unknown.
 *
 * @throws CachescopeError CS_STORAGE_* when the storage cannot be attached.
 */
export async function calibrate(
  kind: StorageKind,
  privilege: Privilege,
  say: (line: string) => void,
  interrupt: { readonly requested: boolean },
): Promise<DelayProof[]> {
  const disk = await attachStorage({ kind, delayWrites: false, privilege });
  const proofs: DelayProof[] = [];
  try {
    for (const requestedDelayMs of calibrationDelaysMs) {
      if (interrupt.requested) break;
      say(`Measuring ${requestedDelayMs} ms on ${kind}`);
      await disk.setDelay(requestedDelayMs);
      const request = { requestedDelayMs, when: 'before', reads, throughput: false } as const;
      const proof = await proveDelay(disk, request);
      if (proof) proofs.push(proof);
    }
  } finally {
    await disk.detach();
  }
  return proofs;
}

const calibrationCheck = {
  id: 'calibration',
  why: 'When the device does not have the requested delay, the axis of every chart is wrong.',
};

/** The finding of a calibration that was not possible. */
export function uncalibrated(what: string, todo: string | null = null): Finding {
  return answered(calibrationCheck, unknown(what, todo));
}

/** The storage could not be attached: a run on it would end with the same error. */
export function unusable(what: string): Finding {
  return answered(calibrationCheck, refused(what));
}

/** Maximum median deviation of the measured from the requested delay, as a share. */
const mostOff = 0.1;

/** Judges the storage by a calibration: a delay of 0 ms has no relative deviation. */
export function calibrationFinding(proofs: readonly DelayProof[]): Finding {
  const deviations = proofs
    .filter(({ requestedDelayMs }) => requestedDelayMs > 0)
    .map(({ requestedDelayMs, p50Ms }) => Math.abs(p50Ms - requestedDelayMs) / requestedDelayMs);
  const value = median(deviations);
  if (value === null) return uncalibrated('No delay was measured');
  const what = `Delays deviate by ${(value * 100).toFixed(1)} %, median of ${deviations.length}`;
  const todo = 'Use the measured delays, not the requested ones; longer delays deviate less.';
  const isGood = value <= mostOff;
  return answered(calibrationCheck, isGood ? ok(what, null, value) : warning(what, todo, value));
}
