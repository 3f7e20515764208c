import { lateMs } from '@cachescope/model/load/join-parts.ts';
import { type Observation, observedUntilMs } from '@cachescope/model/load/observation.ts';
import { putObservations } from '../loads/load-store.ts';

/** Delay before a failed write is retried, ms. */
const againMs = 500;

/** Stores the observations of one witness in order, and knows up to which time they are complete. */
export class ObservedUntil {
  #storedUntilMs = Number.NEGATIVE_INFINITY;

  /** Settles when all are stored, with the ids of the loads that may have changed. */
  async put(observations: readonly Observation[]): Promise<string[]> {
    for (;;) {
      const loads = await putObservations(observations).catch(() => undefined);
      if (loads) {
        this.#storedUntilMs = observations.reduce(
          (last, each) => Math.max(last, observedUntilMs(each)),
          this.#storedUntilMs,
        );
        return loads;
      }
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }

  /** Wall-clock time up to which observations are complete, ms. `isWaiting`: some are not stored yet. */
  atMs(isWaiting: boolean): number {
    return isWaiting ? this.#storedUntilMs : Math.max(this.#storedUntilMs, Date.now() - lateMs);
  }
}
