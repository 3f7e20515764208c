import { createRandom } from '@cachescope/model/random.ts';
import type { FillPlan, FillSuite, FillSystem } from '@cachescope/model/fill-plan.ts';
import type { FillQuestionName } from '@cachescope/model/fill-question.ts';
import type { FillLine, FillRun } from '@cachescope/model/fill-run.ts';
import type { FillTrial } from '@cachescope/model/fill-trial.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import type { LoggedRequest } from '@cachescope/origin/request-log.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { endPartial, runHead } from '../runner/run-record.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import type { Progress } from '../runner/progress.ts';
import { shuffle } from '../runner/schedule.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';
import type { FillBrowserOptions } from './fill-browser.ts';
import { askBrowser } from './fill-questions.ts';
import { startReaderServer } from './fill-reader-server.ts';
import { startFillOrigin } from './fill-server.ts';
import { type FillLab, readThrough } from './fill-system.ts';

/** What a run works with, found and checked before it starts. */
export interface FillBench extends Pick<FillLab, 'nginx' | 'privilege'> {
  /** null when no browser is asked for, or none was found. */
  browser: Omit<FillBrowserOptions, 'directory'> | null;
  /** The slow disk of a question. */
  storage: StorageKind;
  unavailable: FillRun['unavailable'];
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
}

/** Number of trials and questions that a plan takes. */
export function plannedTrials(plan: FillPlan): number {
  return plan.systems.length * plan.suites.length * plan.rounds + plan.questions.length;
}

interface Filling {
  lab: FillLab;
  bench: FillBench;
  run: FillRun;
  lines: FillLine[];
}

/** A run that has ended, whole or in part. */
export interface FillOutcome {
  run: FillRun;
  lines: FillLine[];
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/**
 * Takes every system under every suite, each round in an order drawn anew, then the questions. Each trial is on disk
 * before the next begins.
 *
 * @throws CachescopeError when not even the origin starts; after that the run ends `partial` instead.
 */
export async function runFill(plan: FillPlan, bench: FillBench): Promise<FillOutcome> {
  return withCleanUp(bench.directory, (resources) => takeFill(plan, bench, resources));
}

async function takeFill(
  plan: FillPlan,
  bench: FillBench,
  resources: AsyncDisposableStack,
): Promise<Omit<FillOutcome, 'cleanUpError'>> {
  const work = await makeWorkDirectory('fill', bench.privilege);
  resources.defer(work.remove);
  const origin = await startFillOrigin();
  resources.defer(() => origin.close());
  const readers = await startReaderServer();
  resources.defer(() => readers.close());
  const run = await newRun(plan, bench);
  const lab: FillLab = {
    plan,
    origin,
    readers,
    privilege: bench.privilege,
    nginx: bench.nginx,
    browser: bench.browser && { ...bench.browser, directory: work.path },
    shouldStop: () => bench.interrupt.requested,
    warn(sentence) {
      bench.progress.warn(sentence);
      run.warnings.push(sentence);
    },
    noteChromium: ({ version, flags }) =>
      Object.assign(run.environment.chromium, { version, flags }),
  };
  const filling: Filling = { lab, bench, run, lines: [] };
  const startedAt = Date.now();
  await takeAll(filling);
  run.endedAt = new Date().toISOString();
  const measuringMs = trialsOf(filling.lines).reduce((sum, { clientMs }) => sum + clientMs, 0);
  run.timeSpent = { totalMs: Date.now() - startedAt, measuringMs };
  await noteMachine(run, bench.machine);
  await bench.directory.writeRun(run);
  return { run, lines: filling.lines };
}

function trialsOf(lines: readonly FillLine[]): FillTrial[] {
  return lines.filter((line) => line.kind === 'trial');
}

async function newRun(plan: FillPlan, bench: FillBench): Promise<FillRun> {
  const chromium = { version: 'not used', path: bench.browser?.executablePath ?? '', flags: [] };
  const run: FillRun = {
    ...runHead('fill', bench, new Date()),
    plan,
    environment: await describeEnvironment({
      chromium,
      storage: 'ordinary storage, the temporary directory',
      timerStepMs: null,
    }),
    unavailable: bench.unavailable,
    nginx: {
      own: bench.nginx.own?.version ?? null,
      patched: bench.nginx.patched?.version ?? null,
    },
  };
  await bench.directory.writeRun(run);
  return run;
}

/** One place of the schedule. */
interface Scheduled {
  round: number;
  suite: FillSuite;
  system: FillSystem;
}

function schedule({ rounds, suites, systems, seed }: FillPlan): Scheduled[] {
  const random = createRandom(seed);
  const cells = suites.flatMap((suite) => systems.map((system) => ({ suite, system })));
  return Array.from({ length: rounds }, (_, round) =>
    shuffle(cells, random).map((cell) => ({ ...cell, round })),
  ).flat();
}

async function takeAll(filling: Filling): Promise<void> {
  const { lab, bench, run } = filling;
  const failures: string[] = [];
  let begun = 0;
  const attempt = async (title: string, work: () => Promise<void>) => {
    if (bench.interrupt.requested) return;
    const number = `${++begun} of ${plannedTrials(lab.plan)}`;
    bench.progress.step(`Trial ${number}: ${title}`);
    try {
      await work();
    } catch (error) {
      // The others can still be taken: what one system cannot do says nothing of the next.
      failures.push(title);
      lab.warn(`${title}: ${messageOf(error)}`);
    }
    bench.progress.advance(title);
    await bench.directory.writeRun(run);
  };
  for (const cell of schedule(lab.plan)) {
    await attempt(`${cell.system}, ${cell.suite.name}`, () => takeTrial(filling, cell));
  }
  for (const name of lab.plan.questions as FillQuestionName[]) {
    await attempt(`question ${name}`, () => takeQuestion(filling, name));
  }
  if (bench.interrupt.requested) endPartial(run, 'interrupted');
  else if (failures.length > 0) endPartial(run, `not measured to the end: ${failures.join('; ')}`);
  else run.status = 'complete';
}

async function keep({ bench, lines }: Filling, line: FillLine): Promise<void> {
  await bench.directory.append(line);
  lines.push(line);
}

async function takeQuestion(filling: Filling, name: FillQuestionName): Promise<void> {
  const { lab, bench, lines } = filling;
  const question = await askBrowser(lab, name, bench.storage);
  await keep(filling, { sequence: lines.length, ...question });
}

async function takeTrial(filling: Filling, { round, suite, system }: Scheduled): Promise<void> {
  const { lab, lines } = filling;
  const sequence = lines.length;
  const startedAt = new Date().toISOString();
  const mark = await lab.origin.mark();
  const originBusy = lab.origin.watchBusy();
  // Numbered by time too: after a trial that failed the next has its sequence.
  const prefix = `trial-${sequence}-${Date.now().toString(36)}`;
  const reading = await readThrough(lab, system, suite, prefix);
  const { requests, clientMs, contexts, busy, failure } = reading;
  const seen = await lab.origin.since(mark).catch((error: unknown) => {
    // A lost origin tells nothing, and its loss says more than that.
    throw failure ?? error;
  });
  const trial: FillTrial = {
    kind: 'trial',
    sequence,
    round,
    suite: suite.name,
    system,
    startedAt,
    contexts,
    requests,
    clientMs,
    origin: originSide(seen),
    busy: { ...busy, origin: originBusy() },
    cutShort: lab.shouldStop() || failure !== null,
  };
  await keep(filling, trial);
  if (failure !== null) throw failure;
}

function originSide(seen: readonly LoggedRequest[]): FillTrial['origin'] {
  const bytes = seen.map(({ bodyBytes }) => bodyBytes);
  const began = seen.map(({ receivedAt }) => Date.parse(receivedAt));
  const ended = seen.map(({ finishedAt, receivedAt }) => Date.parse(finishedAt ?? receivedAt));
  return {
    requests: seen.length,
    bytes: bytes.every((count) => count !== null)
      ? bytes.reduce((sum, count) => sum + count, 0)
      : null,
    durationMs: seen.length === 0 ? 0 : Math.max(...ended) - Math.min(...began),
  };
}
