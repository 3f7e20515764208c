import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { Privilege } from '../privilege.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { attachStorage } from '../storage/storage.ts';

/** Delays of a calibration, ms. */
export const calibrationDelaysMs = [0, 1, 2, 5, 10, 20, 50] as const;
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
): Promise<DelayProof[]> {
  const disk = await attachStorage({ kind, delayWrites: false, privilege });
  const proofs: DelayProof[] = [];
  try {
    for (const requestedDelayMs of calibrationDelaysMs) {
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
