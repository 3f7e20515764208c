import type { Privilege } from '@cachescope/harness/privilege.ts';
import { proveDelay } from '@cachescope/harness/storage/delay-proof.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';

/** Delays with a promised accuracy, ms. */
export const trialDelaysMs = [1, 5, 20, 50] as const;

/** Time to set up slow storage, and the accuracy of its delays. */
export interface StorageTrial {
  /** Times in ms, one per round. */
  attachMs: number[];
  changeMs: number[];
  detachMs: number[];
  /** One per delay and round. */
  proofs: DelayProof[];
}

/** Duration of a step, ms. */
async function timed<Value>(step: () => Promise<Value>): Promise<[Value, number]> {
  const start = performance.now();
  return [await step(), performance.now() - start];
}

/** In each round, attaches a disk, sets and proves each delay, and detaches. */
export async function tryStorage(
  kind: StorageKind,
  privilege: Privilege,
  rounds: number,
  reads: number,
): Promise<StorageTrial> {
  const trial: StorageTrial = { attachMs: [], changeMs: [], detachMs: [], proofs: [] };
  for (let round = 0; round < rounds; round++) {
    const [disk, attachMs] = await timed(() =>
      attachStorage({ kind, delayWrites: false, privilege }),
    );
    trial.attachMs.push(attachMs);
    try {
      for (const requestedDelayMs of trialDelaysMs) {
        const [, changeMs] = await timed(() => disk.setDelay(requestedDelayMs));
        trial.changeMs.push(changeMs);
        const request = { requestedDelayMs, when: 'before', throughput: false, reads } as const;
        const proof = await proveDelay(disk, request);
        if (proof) trial.proofs.push(proof);
      }
    } finally {
      const [, detachMs] = await timed(() => disk.detach());
      trial.detachMs.push(detachMs);
    }
  }
  return trial;
}
