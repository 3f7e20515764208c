import type { RunBase } from '@cachescope/model/run/base.ts';
import { warningKind } from '@cachescope/model/run/folded-warnings.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import type { BesideOf, Experiment, Kinds, SessionOf } from '../experiments/experiment.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { withCleanUp } from './clean-up.ts';
import type { Interrupt } from './interrupt.ts';
import type { Progress } from './progress.ts';
import { resumedRun } from './resumed-run.ts';
import { runHead, type RunOccasion } from './run-record.ts';

/** Inputs of any experiment's run. */
export interface RunPlace extends RunOccasion {
  directory: Pick<RunDirectory, 'path' | 'append' | 'appendBeside' | 'writeRun' | 'close'>;
  interrupt: Pick<Interrupt, 'requested'>;
  progress: Progress;
  privilege: Privilege;
  extensionDirectory: string;
}

/**
 * Takes one run of an experiment, from its first line to its end in run.json, and undoes its changes to the machine.
 *
 * @param saved a run that is resumed; absent: a new one.
 * @throws the experiment's error before its run has begun.
 */
export function takeRun<K extends Kinds>(
  experiment: Experiment<K>,
  found: K['found'],
  place: RunPlace,
  saved?: K['document'],
): Promise<{ document: K['document']; cleanUpError: unknown }> {
  return withCleanUp(place.directory, async (resources) => {
    const work = await makeWorkDirectory(experiment.name, place.privilege);
    resources.defer(work.remove);
    const taking = new Taking(experiment, found, place, resources, work.path, saved);
    return { document: await taking.takeAll() };
  });
}

/** A run in progress. */
class Taking<K extends Kinds> implements SessionOf<K> {
  readonly found: K['found'];
  readonly resources: AsyncDisposableStack;
  readonly path: string;
  readonly work: string;
  readonly privilege: Privilege;
  readonly extensionDirectory: string;
  readonly progress: Progress;
  readonly lines: K['line'][];
  readonly beside: BesideOf<K>[];
  readonly #experiment: Experiment<K>;
  readonly #place: RunPlace;
  readonly #saved: K['document'] | undefined;
  readonly #startedAt = new Date();
  readonly #failures: string[] = [];
  #attempts = 0;
  #run: K['document']['run'] | null = null;

  constructor(
    experiment: Experiment<K>,
    found: K['found'],
    place: RunPlace,
    resources: AsyncDisposableStack,
    work: string,
    saved: K['document'] | undefined,
  ) {
    this.#experiment = experiment;
    this.#saved = saved;
    this.lines = saved ? [...experiment.saved.itemsOf(saved)] : [];
    this.beside = saved ? [...experiment.saved.besideOf(saved)] : [];
    this.#place = place;
    this.found = found;
    this.resources = resources;
    this.work = work;
    this.path = place.directory.path;
    ({
      privilege: this.privilege,
      extensionDirectory: this.extensionDirectory,
      progress: this.progress,
    } = place);
  }

  get run(): K['document']['run'] {
    if (this.#run === null) throw new Error('the run has not started');
    return this.#run;
  }

  async begin(
    environment: Parameters<typeof describeEnvironment>[0],
    own: object,
  ): Promise<K['document']['run']> {
    const head = runHead(this.#experiment.name, this.#place, this.#startedAt);
    // The common and the experiment's own part of a run; the caller's types check the latter.
    const fresh = {
      ...head,
      ...own,
      environment: await describeEnvironment(environment),
    } as unknown as K['document']['run'];
    const { resume } = this.#experiment;
    const run =
      this.#saved && resume ? resumedRun(resume, this.#saved.run, fresh, this.lines.length) : fresh;
    await this.#place.directory.writeRun(run);
    // The run begins here: an earlier error leaves no run.
    this.#run = run;
    return run;
  }

  elapsedMs(): number {
    const before = this.#saved?.run.timeSpent?.totalMs ?? 0;
    return before + Date.now() - this.#startedAt.getTime();
  }

  async keep(line: K['line']): Promise<void> {
    await this.#place.directory.append(line);
    this.lines.push(line);
  }

  async keepBeside(line: BesideOf<K>): Promise<void> {
    await this.#place.directory.appendBeside(line);
    this.beside.push(line);
  }

  async save(): Promise<void> {
    if (this.run.endedAt === undefined) this.#noteTime();
    return this.#place.directory.writeRun(this.run);
  }

  warn(sentence: string): void {
    const { warnings } = this.run;
    if (warnings.includes(sentence)) return;
    const kind = warningKind(sentence);
    // A sentence that differs from an earlier one only in its numbers is shown at the end, with all of its kind.
    const isNew = !warnings.some((known) => warningKind(known) === kind);
    warnings.push(sentence);
    if (isNew) this.progress.warn(sentence);
  }

  shouldStop(): boolean {
    return this.#place.interrupt.requested;
  }

  async attempt(title: string, work: () => Promise<void>): Promise<void> {
    if (this.shouldStop()) return;
    const total = this.#experiment.steps(this.found.plan);
    this.progress.status(`${++this.#attempts} of ${total}: ${title}`);
    try {
      await work();
    } catch (error) {
      this.#failures.push(title);
      this.warn(`${title}: ${messageOf(error)}`);
    }
    this.progress.advance(title);
    await this.save();
  }

  async takeAll(): Promise<K['document']> {
    let reason: string | null;
    try {
      reason = this.#reason(await this.#experiment.take(this));
    } catch (error) {
      if (this.#run === null) throw error;
      reason = messageOf(error);
    }
    await this.#end(reason);
    return this.#experiment.saved.join(this.run, this.lines, this.beside);
  }

  /** Why the run is not complete; null when it is. */
  #reason(lacking: string | null): string | null {
    if (this.shouldStop() && !this.#experiment.endsByInterrupt) return 'interrupted';
    if (this.#failures.length > 0) return `incomplete: ${this.#failures.join('; ')}`;
    return lacking;
  }

  #noteTime(): void {
    const { measuredMs } = this.#experiment;
    const measuringMs = this.lines.reduce((sum, line) => sum + measuredMs(line), 0);
    this.run.timeSpent = { totalMs: this.elapsedMs(), measuringMs };
  }

  async #end(reason: string | null): Promise<void> {
    const run: RunBase = this.run;
    this.#noteTime();
    run.endedAt = new Date().toISOString();
    if (reason === null) run.status = 'complete';
    else endPartial(run, reason);
    try {
      await noteMachine(run, this.#place.machine);
      await this.save();
    } catch (error) {
      // A full disk prevents an update of run.json; the lines and the first run.json are kept.
      this.warn(`run.json could not be updated (${messageOf(error)})`);
      endPartial(run, run.statusReason ?? messageOf(error));
    }
  }
}

/** Marks a run as partial, with the reason in words, without a full stop. */
function endPartial(run: RunBase, reason: string): void {
  run.status = 'partial';
  run.statusReason = reason;
}
