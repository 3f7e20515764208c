import type { Shard } from '@cachescope/model/run/shard.ts';
import { builtExtension } from '../browser/extension-build.ts';
import { showResults } from '../commands/show-results.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { type MachineWatch, watchMachine } from '../environment/machine-watch.ts';
import { trustText } from '@cachescope/model/run/trust.ts';
import type { Results } from '../results/results.ts';
import type { Experiment, Kinds, Tools } from '../experiments/experiment.ts';
import type { SharedValues } from '../options/option-table.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { notedDrafts } from '../results/unfinished-output.ts';
import { commandText } from '../privilege.ts';
import { journalsHere } from '../storage/journal/journals.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { reap } from '../storage/journal/reaper.ts';
import { undoLines } from '../storage/journal/undo-commands.ts';
import { toolVersion } from '../version.ts';
import { listenForInterrupt } from './interrupt.ts';
import { writeOutputs, writtenResults } from './outputs.ts';
import { requireChromiumOfPlan } from './plan-file.ts';
import { Progress } from './progress.ts';
import { requireLink } from './run-link.ts';
import { takeRun } from './take-run.ts';
import { uploadEnded } from './upload.ts';

/** What to measure, and where to write it. */
export interface Taking<K extends Kinds> {
  planned: K['planned'];
  shared: SharedValues;
  tools: Tools;
  /** Version of the Chromium that the plan was made for; null: any. */
  chromium: string | null;
  path: string;
  shard?: Shard;
  /** Creates the run's directory, or opens a saved one; null: that one is complete, so nothing is measured. */
  open: () => Promise<{ directory: RunDirectory; saved?: K['document'] } | null>;
}

/**
 * Takes a run with exclusive use of the machine: claims it, checks it, cleans up after other programs, listens for
 * interrupts, and at the end writes and shows the results. Returns the exit code.
 *
 * @throws CachescopeError CS_BUSY, CS_ENVIRONMENT, and the error of a run that could not begin.
 */
export async function inSession<K extends Kinds>(
  experiment: Experiment<K>,
  taking: Taking<K>,
): Promise<number> {
  const { planned, shared, tools, chromium, path, shard } = taking;
  const found = await experiment.requirements(planned, tools);
  await requireLink(experiment.link?.(found.plan), tools);
  const { storage, chromiumPath } = found;
  await requireChromiumOfPlan(chromium, chromiumPath);
  const progress = new Progress(experiment.steps(found.plan));
  const say = (line: string) => progress.step(line);
  let ended: Ended;
  const claim = await claimMachine({ wait: shared.wait, say });
  try {
    const machine = await watchMachine(shared.env, { storage, browser: chromiumPath });
    for (const warning of machine.warnings) say(`Warning: ${warning}`);
    await reap(tools.privilege, say);
    const extensionDirectory = await builtExtension();
    ended = await takeIn(experiment, taking, found, { machine, extensionDirectory, progress });
  } finally {
    claim.release();
  }
  const { exitCode, error } = ended;
  const isShard = shard !== undefined;
  // What was measured is uploaded, whatever the error.
  if (shared.upload !== undefined)
    await uploadEnded(shared.upload, path, { exitCode, isShard, say });
  if (error !== null) throw error;
  return exitCode;
}

/** How a run ended whose results are written. */
interface Ended {
  exitCode: number;
  /** What has an exit code of its own: a failed clean-up, a run that `--env throw` refuses, a gate; null: none. */
  error: unknown;
}

async function takeIn<K extends Kinds>(
  experiment: Experiment<K>,
  { shared, tools, shard, open }: Taking<K>,
  found: K['found'],
  ready: { machine: MachineWatch; extensionDirectory: string; progress: Progress },
): Promise<Ended> {
  const { extensionDirectory, progress } = ready;
  const say = (line: string) => progress.step(line);
  const opened = await open();
  if (opened === null) return { exitCode: 0, error: null };
  const { directory, saved } = opened;
  using _ = notedDrafts(directory.path);
  const atOnce = () => stopAtOnce(directory, say);
  const interrupt = listenForInterrupt(say, atOnce, experiment.finishing);
  const commandLine = process.argv.slice(2);
  const { privilege } = tools;
  try {
    const place = { ...ready, directory, interrupt, privilege, commandLine, toolVersion, shard };
    const { document, cleanUpError } = await takeRun(experiment, found, place, saved).finally(() =>
      progress.end(),
    );
    const { results, isWritten } = await writtenResults<K['document']>(
      (files, taken, resultTools) => writeOutputs(experiment, files, taken, resultTools),
      directory,
      document,
      { extensionDirectory, chromiumPath: found.chromiumPath },
      say,
    ).catch((error: unknown) => {
      if (cleanUpError !== null) say(String(cleanUpError));
      throw error;
    });
    showResults(results, shared);
    const isComplete = document.run.status === 'complete';
    if (!isComplete && isWritten && experiment.resume && shard === undefined) {
      const path = commandText([directory.path]);
      say(
        `To finish the run: npm run ${experiment.command ?? experiment.name} -- --resume ${path}`,
      );
    }
    const short = interrupt.requested && !isComplete ? 130 : 4;
    const isWhole = isComplete && isWritten && cleanUpError === null;
    const refusal = shared.env === 'throw' ? untrusted(results.summary) : null;
    const gate = isWhole ? experiment.gate?.(experiment.summarize(document), found) : null;
    return { exitCode: isWhole ? 0 : short, error: cleanUpError ?? refusal ?? gate ?? null };
  } finally {
    interrupt.dispose();
  }
}

/** The error of a poor run; null for a better one. */
function untrusted({ trust }: Results['summary']): CachescopeError | null {
  if (trust.inconclusive === null) return null;
  return new CachescopeError('CS_UNTRUSTED', `the run has no verdicts: ${trustText(trust)}`);
}

/** Before an exit in the middle of a run: marks the run, and reports what is left behind and how to remove it. */
export function stopAtOnce(
  directory: Pick<RunDirectory, 'path' | 'markStopped'>,
  say: (line: string) => void,
): void {
  try {
    directory.markStopped('stopped immediately');
  } catch (error) {
    say(`run.json could not be updated (${messageOf(error)})`);
  }
  say(`Stopped. The samples so far: npm run report -- ${commandText([directory.path])}`);
  const own = journalsHere().filter(({ head }) => head.owner.pid === process.pid);
  const left = undoLines(own);
  if (left.length > 0) say(`Left on the machine (npm run clean removes it):\n${left.join('\n')}`);
}
