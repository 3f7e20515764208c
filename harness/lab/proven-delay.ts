import type { DelayProof, RunBase } from '@cachescope/model/run/base.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import type { SlowDisk } from '../storage/disk.ts';
import type { Watched } from './run-session.ts';

/** Number of direct reads that verify a delay. */
const proofReads = 8;

/** Attempts at direct reads during which nothing is suspended. */
const maxAttempts = 3;

/** The parts of a session that receive a proof. */
interface Proven {
  watched<Result>(work: () => Promise<Result>): Promise<Watched<Result>>;
  readonly run: Pick<RunBase, 'proofs'>;
  warn(sentence: string): void;
}

/** Takes direct reads again, at most three times, when something was suspended meanwhile. */
export async function undisturbed<Result>(
  session: Pick<Proven, 'watched'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const { result, flags } = await session.watched(work);
    if (flags.length === 0 || attempt === maxAttempts) return result;
  }
}

/** Sets the delay of the slow device and verifies it by direct reads; a delay outside tolerance is reported. */
export async function setProvenDelay(
  session: Proven,
  disk: SlowDisk,
  delayMs: number,
): Promise<void> {
  const proof = await undisturbed(session, () => provenDelay(disk, delayMs));
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
