import type { ExploreRun, LabAction } from '@cachescope/model/explore-run.ts';
import type { Load } from '@cachescope/model/load.ts';
import type { DelayProof } from '@cachescope/model/run-base.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { printable } from '../results/printable.ts';

/** The run of one exploration as it is kept: whatever happens is on the disk before the next thing happens. */
export class ExploreRecord {
  readonly run: ExploreRun;
  readonly #directory: RunDirectory;
  readonly #say: (line: string) => void;
  readonly #ids = new Set<string>();
  /** Writing is done one thing after another: two at once could mix their lines. */
  #writing: Promise<void> = Promise.resolve();

  constructor(run: ExploreRun, directory: RunDirectory, say: (line: string) => void) {
    this.run = run;
    this.#directory = directory;
    this.#say = say;
  }

  get savedLoads(): number {
    return this.#ids.size;
  }

  /** Settles when the load is on the disk. A load that is saved again takes the place of the former. */
  async saveLoad(load: Load): Promise<void> {
    await this.#write(() => this.#directory.append(load));
    const isNew = !this.#ids.has(load.id);
    this.#ids.add(load.id);
    if (isNew)
      this.#say(
        `Load ${this.savedLoads}: ${printable(load.url)} (resources: ${load.resources.length})`,
      );
  }

  async noteAction(action: LabAction): Promise<void> {
    this.run.actions.push(action);
    await this.save();
  }

  noteProof(proof: DelayProof): void {
    this.run.proofs.push(proof);
    if (!proof.off) return;
    this.warn(
      `the device took ${proof.p50Ms.toFixed(2)} ms for a 4 KiB read where ${proof.requestedDelayMs} ms was asked for`,
    );
  }

  /** Shown now, and kept for the readers of the result. */
  warn(sentence: string): void {
    this.#say(`Warning: ${sentence}`);
    this.run.warnings.push(sentence);
  }

  /** An exploration is whole when the user ended it; `failure` says why it ended otherwise. */
  end(failure: string | null): void {
    this.run.endedAt = new Date().toISOString();
    this.run.status = failure === null ? 'complete' : 'partial';
    if (failure !== null) this.run.statusReason = failure;
  }

  /** Writes run.json anew. */
  save(): Promise<void> {
    return this.#write(() => this.#directory.writeRun(this.run));
  }

  #write(step: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(step);
    this.#writing = written.catch(() => undefined);
    return written;
  }
}
