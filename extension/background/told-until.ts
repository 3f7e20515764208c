import { lateMs } from '@cachescope/model/load/join-parts.ts';
import { type Observation, toldUntilMs } from '@cachescope/model/load/observation.ts';
import { putObservations } from '../loads/load-store.ts';

/** What could not be stored is tried again after so long, ms. */
const againMs = 500;

/** Stores what one witness tells, in order, and knows until when it has told of all. */
export class ToldUntil {
  #storedUntilMs = Number.NEGATIVE_INFINITY;

  /** Settles when all are stored, with the ids of the loads that they may have changed. */
  async put(observations: readonly Observation[]): Promise<string[]> {
    for (;;) {
      const loads = await putObservations(observations).catch(() => undefined);
      if (loads) {
        this.#storedUntilMs = observations.reduce(
          (last, each) => Math.max(last, toldUntilMs(each)),
          this.#storedUntilMs,
        );
        return loads;
      }
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }

  /** Wall clock, ms. `isWaiting`: something was told that is not stored yet. */
  atMs(isWaiting: boolean): number {
    return isWaiting ? this.#storedUntilMs : Math.max(this.#storedUntilMs, Date.now() - lateMs);
  }
}
