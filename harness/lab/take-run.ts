import type { LinkedRun } from '@cachescope/model/network/link.ts';
import { printable } from '@cachescope/model/printable.ts';
import { type RunBase, schemaVersion } from '@cachescope/model/run/base.ts';
import { tooBusy } from '@cachescope/model/run/trust-aspects.ts';
import { warningKind } from '@cachescope/model/run/folded-warnings.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import { describeEnvironment } from '../environment/environment.ts';
import type { LoadRecorder } from '../environment/machine-load.ts';
import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import type { BesideOf, Experiment, Kinds, SessionOf } from '../experiments/experiment.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { suspensionText } from '../sampling/suspension.ts';
import { startSuspensionWitness, type SuspensionWitness } from '../sampling/suspension-witness.ts';
import { ownServers } from '../storage/journal/journals.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import type { Interrupt } from './interrupt.ts';
import { leftError } from './left-error.ts';
import type { Progress } from './progress.ts';
import { resumedRun } from './resumed-run.ts';
import { openRunLink } from './run-link.ts';

/** Inputs of any experiment's run. */
export interface RunPlace {
  directory: Pick<RunDirectory, 'path' | 'append' | 'appendBeside' | 'writeRun' | 'close'>;
  interrupt: Pick<Interrupt, 'requested'>;
  progress: Progress;
  privilege: Privilege;
  extensionDirectory: string;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
  /** The shard that the run takes; absent: the whole plan. */
  shard?: Shard | undefined;
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
): Promise<{ document: K['document']; cleanUpError: Error | null }> {
  const say = (line: string) => place.progress.step(line);
  return withCleanUp(place.directory, say, async (resources) => {
    const work = await makeWorkDirectory(experiment.name, place.privilege);
    resources.defer(work.remove);
    const given = { found, resources, work: work.path };
    const { session, end } = await openRun(experiment, place, saved, given);
    await end(() => experiment.measure(session));
    return { document: experiment.saved.join(session.run, session.lines, session.beside) };
  });
}

/**
 * Takes a run with a stack of resources that are disposed after it, in reverse order. A clean-up error is returned
 * beside the result, which remains valid; null when nothing is left behind.
 *
 * @throws the error of `take`, after everything has been disposed. `say` is then called with a clean-up error.
 */
export async function withCleanUp<Taken extends object>(
  directory: { close(): Promise<void> },
  say: (line: string) => void,
  take: (resources: AsyncDisposableStack) => Promise<Taken>,
): Promise<Taken & { cleanUpError: Error | null }> {
  const resources = new AsyncDisposableStack();
  resources.defer(() => directory.close());
  let taken: Taken;
  try {
    taken = await take(resources);
  } catch (error) {
    const left = await disposed(resources);
    if (left !== null) say(String(left));
    throw error;
  }
  return { ...taken, cleanUpError: await disposed(resources) };
}

/** Disposes resources. Returns the error of what could not be undone, or null. */
async function disposed(resources: AsyncDisposableStack): Promise<Error | null> {
  return resources.disposeAsync().then(() => null, leftError);
}

/** `--env throw` ends a run on a busy machine once its load has been recorded for this long, ms. */
const refusalAfterMs = 10_000;

/** A run's session, and its end: `end` measures with `take`, and records why the run is not complete. */
async function openRun<K extends Kinds>(
  experiment: Experiment<K>,
  place: RunPlace,
  saved: K['document'] | undefined,
  given: Pick<SessionOf<K>, 'found' | 'resources' | 'work'>,
): Promise<{
  session: SessionOf<K>;
  end: (take: () => Promise<string | null>) => Promise<void>;
}> {
  const { directory, interrupt, progress, privilege, extensionDirectory } = place;
  const lines: K['line'][] = saved ? [...experiment.saved.itemsOf(saved)] : [];
  const beside: BesideOf<K>[] = saved ? [...experiment.saved.besideOf(saved)] : [];
  const startedAt = new Date();
  const failures: string[] = [];
  let attempts = 0;
  let recorder: LoadRecorder | null = null;
  /** Why the run must not go on: the machine is too busy; null: it may. */
  let refusal: string | null = null;
  let begun: K['document']['run'] | null = null;
  let witness: SuspensionWitness | undefined;

  const link = await openRunLink(experiment.link?.(given.found.plan), privilege, given.resources, {
    keep(use) {
      // The schema of an experiment with a link has this field.
      const run: RunBase & LinkedRun = session.run;
      (run.linkProofs ??= []).push(use);
    },
    warn: (sentence) => session.warn(sentence),
  });
  const session: SessionOf<K> = {
    ...given,
    link,
    path: directory.path,
    privilege,
    extensionDirectory,
    progress,
    lines,
    beside,
    get run() {
      if (begun === null) throw new Error('the run has not started');
      return begun;
    },
    async begin(environment, own) {
      // The common and the experiment's own part of a run; the caller's types check the latter.
      const fresh = {
        ...runHead(experiment.name, place, startedAt, given.found.leftOut),
        ...own,
        environment: await describeEnvironment({
          ...environment,
          ...(link.name !== undefined && { link: link.name }),
        }),
      } as unknown as K['document']['run'];
      const { resume } = experiment;
      const run = saved && resume ? resumedRun(resume, saved.run, fresh, lines.length) : fresh;
      await directory.writeRun(run);
      // The run begins here: an earlier error leaves no run.
      begun = run;
      recorder = place.machine.record?.((run.machineLoad ??= [])) ?? null;
      return run;
    },
    elapsedMs: () => (saved?.run.timeSpent?.totalMs ?? 0) + Date.now() - startedAt.getTime(),
    async keep(line) {
      await directory.append(line);
      lines.push(line);
      noteLoad(experiment.measuredMs(line));
    },
    async keepBeside(line) {
      await directory.appendBeside(line);
      beside.push(line);
    },
    async save() {
      if (session.run.endedAt === undefined) noteTime();
      return directory.writeRun(session.run);
    },
    warn(text) {
      const sentence = printable(text);
      const { warnings } = session.run;
      if (warnings.includes(sentence)) return;
      const kind = warningKind(sentence);
      // A sentence that differs from an earlier one only in its numbers is shown at the end, with all of its kind.
      const isNew = !warnings.some((known) => warningKind(known) === kind);
      warnings.push(sentence);
      if (isNew) progress.warn(sentence);
    },
    async watched(work) {
      witness ??= given.resources.use(startSuspensionWitness());
      const { result, suspensions } = await witness.during(work, ownServers());
      const until = new Date().toISOString();
      for (const each of suspensions) {
        const sentence = `Until ${until}, ${suspensionText(each)}: times taken meanwhile do not count (flag \`suspended\`).`;
        if (begun === null) progress.warn(sentence);
        else session.warn(sentence);
      }
      return { result, flags: suspensions.length > 0 ? ['suspended'] : [] };
    },
    shouldStop: () => interrupt.requested || refusal !== null,
    async attempt(title, work) {
      if (session.shouldStop()) return;
      progress.status(`${++attempts} of ${experiment.steps(given.found.plan)}: ${title}`);
      try {
        await work();
      } catch (error) {
        failures.push(title);
        session.warn(`${title}: ${messageOf(error)}`);
      }
      progress.advance(title);
      await session.save();
    },
  };

  function noteLoad(measuringMs: number): void {
    if (!recorder?.note(measuringMs) || place.machine.rule !== 'throw') return;
    const { machineLoad = [] } = session.run;
    const recordedMs = machineLoad.reduce((sum, { spanMs }) => sum + spanMs, 0);
    if (recordedMs >= refusalAfterMs) refusal ??= tooBusy(machineLoad);
  }

  function noteTime(): void {
    const measuringMs = lines.reduce((sum, line) => sum + experiment.measuredMs(line), 0);
    session.run.timeSpent = { totalMs: session.elapsedMs(), measuringMs };
  }

  /** Why the run is not complete; null when it is. */
  function reasonOf(lacking: string | null): string | null {
    if (interrupt.requested && !experiment.endsByInterrupt)
      return lacking === null ? 'interrupted' : `interrupted; ${lacking}`;
    if (refusal !== null) return `the machine was busy: ${refusal}`;
    return failures.length > 0 ? `incomplete: ${failures.join('; ')}` : lacking;
  }

  async function end(take: () => Promise<string | null>): Promise<void> {
    let reason: string | null;
    try {
      reason = reasonOf(await take());
    } catch (error) {
      if (begun === null) throw error;
      reason = messageOf(error);
    }
    const run: RunBase = session.run;
    recorder?.end();
    noteTime();
    run.endedAt = new Date().toISOString();
    run.lineCount = lines.length;
    if (reason === null) run.status = 'complete';
    else endPartial(run, reason);
    try {
      await noteMachine(run, place.machine);
      await session.save();
    } catch (error) {
      // A full disk prevents an update of run.json; the lines and the first run.json are kept.
      session.warn(`run.json could not be updated (${messageOf(error)})`);
      endPartial(run, run.statusReason ?? messageOf(error));
    }
  }

  return { session, end };
}

/** The fields that every run's record has before the first sample, for any experiment. */
function runHead(
  experiment: string,
  { machine, commandLine, toolVersion, shard }: RunPlace,
  startedAt: Date,
  leftOut: readonly string[] = [],
): Omit<RunBase, 'environment'> & { experiment: string } {
  return {
    schemaVersion,
    tool: { name: 'cachescope', version: toolVersion },
    experiment,
    status: 'running',
    startedAt: startedAt.toISOString(),
    commandLine,
    proofs: [],
    machine: { before: machine.before },
    warnings: [
      ...machine.warnings,
      ...(leftOut.length > 0
        ? [`This machine cannot take a part of the plan: ${leftOut.join(', ')}.`]
        : []),
    ],
    ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
    ...(shard && { shard }),
  };
}

/** Marks a run as partial, with the reason in words, without a full stop. */
function endPartial(run: RunBase, reason: string): void {
  run.status = 'partial';
  run.statusReason = reason;
}
