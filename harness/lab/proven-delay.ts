import type { DelayProof, RunBase } from '@cachescope/model/run/base.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import type { SlowDisk } from '../storage/disk.ts';

/** Number of direct reads that verify a delay. */
const proofReads = 8;

/** The parts of a session that receive a proof. */
interface Proven {
  readonly run: Pick<RunBase, 'proofs'>;
  warn(sentence: string): void;
}

/** Sets the delay of the slow device and verifies it by direct reads; a delay outside tolerance is reported. */
export async function setProvenDelay(
  session: Proven,
  disk: SlowDisk,
  delayMs: number,
): Promise<void> {
  const proof = await provenDelay(disk, delayMs);
  if (proof) keepProof(session, proof);
}

/** Sets the delay of the slow device and verifies it by direct reads; null: it cannot be read directly. */
export async function provenDelay(disk: SlowDisk, delayMs: number): Promise<DelayProof | null> {
  await disk.setDelay(delayMs);
  const request = {
    requestedDelayMs: delayMs,
    when: 'before',
    reads: proofReads,
    throughput: false,
  } as const;
  return proveDelay(disk, request);
}

/** Saves a proof with the run; a delay outside tolerance is reported. */
export function keepProof(session: Proven, proof: DelayProof): void {
  session.run.proofs.push(proof);
  if (proof.off)
    session.warn(
      `Measured delay of a 4 KiB read: ${proof.p50Ms.toFixed(2)} ms; requested: ${proof.requestedDelayMs} ms.`,
    );
}
