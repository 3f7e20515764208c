import { lateMs } from '@cachescope/model/load/load-span.ts';
import { type Observation, observedUntilMs } from '@cachescope/model/load/observation.ts';
import { putObservations } from '../loads/load-store.ts';

/** Delay before a failed access is retried, ms. */
const againMs = 500;

/** Repeats a failed access to the extension's storage until it succeeds, so that no observation is lost. */
export async function untilDone<Result>(access: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await access();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/**
 * Stores the observations of one witness, and knows up to which time they are complete. The witness waits for one batch
 * before it stores the next.
 */
export class ObservedUntil {
  #storedUntilMs = Number.NEGATIVE_INFINITY;

  /** Settles when all are stored, with the ids of the loads that may have changed. */
  async put(observations: readonly Observation[]): Promise<string[]> {
    const loads = await untilDone(() => putObservations(observations));
    this.#storedUntilMs = observations.reduce(
      (last, each) => Math.max(last, observedUntilMs(each)),
      this.#storedUntilMs,
    );
    return loads;
  }

  /** Wall-clock time up to which observations are complete, ms. `isWaiting`: some are not stored yet. */
  atMs(isWaiting: boolean): number {
    return isWaiting ? this.#storedUntilMs : Math.max(this.#storedUntilMs, Date.now() - lateMs);
  }
}
