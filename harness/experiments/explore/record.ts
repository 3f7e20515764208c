import type { ExploreRun, LabAction } from '@cachescope/model/explore/run.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { sanitizedLoad } from '@cachescope/model/load/sanitized-load.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { printable } from '@cachescope/model/printable.ts';
import type { RunSession } from '../../lab/run-session.ts';

const credentialsWarning =
  'This run holds cookies and Authorization values (--keep-credentials): whoever reads its files can act as the user.';

/** The parts of a session that a record uses. */
type Keeping = Pick<
  RunSession<ExploreRun, Load, never>,
  'run' | 'keep' | 'save' | 'warn' | 'progress'
>;

/**
 * Records the events of one exploration. A load is written to the disk as soon as the browser reports it. The browser
 * starts a moment before the run begins, so other events are queued until then.
 */
export class ExploreRecord {
  readonly actions: LabAction[] = [];
  readonly #session: Keeping;
  readonly #ids = new Set<string>();
  #hasBegun = false;
  /** Calls to make once the run has begun. */
  readonly #waiting: (() => void)[] = [];
  /** Writes are serialised: two concurrent writes could mix their lines. */
  #writing: Promise<void> = Promise.resolve();

  readonly #keepsCredentials: boolean;

  constructor(session: Keeping, keepsCredentials = false) {
    this.#session = session;
    this.#keepsCredentials = keepsCredentials;
    if (keepsCredentials) this.warn(credentialsWarning);
  }

  get savedLoads(): number {
    return this.#ids.size;
  }

  /** The run has begun: makes the queued calls. */
  begin(): void {
    this.#hasBegun = true;
    for (const tell of this.#waiting) tell();
  }

  /**
   * Settles when the load is on the disk, without its credentials unless they were requested. A load that is saved
   * again replaces the earlier one.
   */
  async saveLoad(load: Load): Promise<void> {
    const kept = this.#keepsCredentials ? load : sanitizedLoad(load);
    await this.#write(() => this.#session.keep(kept));
    const isNew = !this.#ids.has(load.id);
    this.#ids.add(load.id);
    if (isNew)
      this.#session.progress.step(
        `Load ${this.savedLoads}: ${printable(load.url)} (resources: ${load.resources.length})`,
      );
  }

  async noteAction(action: LabAction): Promise<void> {
    this.actions.push(action);
    if (this.#hasBegun) await this.#write(() => this.#session.save());
  }

  noteProof(proof: DelayProof): void {
    this.#tell(() => this.#session.run.proofs.push(proof));
    if (!proof.off) return;
    this.warn(
      `measured delay of a 4 KiB read: ${proof.p50Ms.toFixed(2)} ms; requested: ${proof.requestedDelayMs} ms`,
    );
  }

  /** Prints the warning, and keeps it for readers of the result. */
  warn(sentence: string): void {
    this.#tell(() => this.#session.warn(sentence));
  }

  #tell(tell: () => void): void {
    if (this.#hasBegun) tell();
    else this.#waiting.push(tell);
  }

  #write(step: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(step);
    this.#writing = written.catch(() => undefined);
    return written;
  }
}
