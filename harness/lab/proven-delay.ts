import type { RunBase } from '@cachescope/model/run/base.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import type { SlowDisk } from '../storage/disk.ts';

/** Number of direct reads that verify a delay. */
const proofReads = 8;

/** Sets the delay of the slow device and verifies it by direct reads; a delay outside tolerance is reported. */
export async function setProvenDelay(
  session: { readonly run: Pick<RunBase, 'proofs'>; warn(sentence: string): void },
  disk: SlowDisk,
  delayMs: number,
): Promise<void> {
  await disk.setDelay(delayMs);
  const request = {
    requestedDelayMs: delayMs,
    when: 'before',
    reads: proofReads,
    throughput: false,
  } as const;
  const proof = await proveDelay(disk, request);
  if (!proof) return;
  session.run.proofs.push(proof);
  if (proof.off)
    session.warn(
      `Measured delay of a 4 KiB read: ${proof.p50Ms.toFixed(2)} ms; requested: ${delayMs} ms.`,
    );
}
