import type { ReclaimPlan } from '@cachescope/model/reclaim-plan.ts';
import type { ReclaimLine, ReclaimRun } from '@cachescope/model/reclaim-run.ts';
import type { ReplayedRequest } from '@cachescope/model/replay.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { endPartial, runHead } from '../runner/run-record.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import type { Progress } from '../runner/progress.ts';
import { openChromiumSystem } from './reclaim-chromium.ts';
import { openOriginSystem } from './reclaim-node.ts';
import { ReclaimRecord } from './reclaim-record.ts';
import type { ReclaimSystem } from './reclaim-system.ts';

/** What a run works with, found and checked before it starts. */
export interface ReclaimBench {
  /** Empty when no browser is asked for. */
  chromiumPath: string;
  privilege: Privilege;
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
}

/** A run that has ended, whole or in part. */
export interface ReclaimOutcome {
  run: ReclaimRun;
  lines: ReclaimLine[];
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/** Windows that a plan takes. */
export function plannedWindows({ timeMs, windowMs }: ReclaimPlan): number {
  return Math.ceil(timeMs / windowMs);
}

/**
 * Puts a cache under the load of the plan and looks at it window by window. Each line is on disk before the next is taken.
 *
 * @throws CachescopeError when the system does not come up; after that the run ends `partial` instead.
 */
export async function runReclaim(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  bench: ReclaimBench,
): Promise<ReclaimOutcome> {
  return withCleanUp(bench.directory, (resources) => takeReclaim(plan, replay, bench, resources));
}

async function takeReclaim(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  bench: ReclaimBench,
  resources: AsyncDisposableStack,
): Promise<Omit<ReclaimOutcome, 'cleanUpError'>> {
  bench.progress.step(`Starting the system under load: ${plan.system}`);
  const system = await openSystem(plan, replay, bench, resources);
  const run = await newRun(plan, bench, system);
  const startedAt = Date.now();
  const record = new ReclaimRecord(plan, system, bench);
  const reason = await record.take();
  const { lines } = record;
  run.warnings.push(...system.warnings());
  // Of Chromium, some flags are known only once it has run.
  if (system.chromium) run.environment.chromium = system.chromium;
  if (bench.interrupt.requested) endPartial(run, 'interrupted');
  else if (reason !== null) endPartial(run, reason);
  else run.status = 'complete';
  run.endedAt = new Date().toISOString();
  const measuringMs = lines.reduce(
    (sum, line) => (line.kind === 'window' ? sum + line.spanMs : sum),
    0,
  );
  run.timeSpent = { totalMs: Date.now() - startedAt, measuringMs };
  await noteMachine(run, bench.machine);
  await bench.directory.writeRun(run).catch((error: unknown) => {
    // A full disk takes no second run.json; the lines and the first one are there.
    if (run.status === 'complete') throw error;
    run.warnings.push(`run.json could not be written at the end: ${messageOf(error)}.`);
  });
  return { run, lines };
}

function openSystem(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  bench: ReclaimBench,
  resources: AsyncDisposableStack,
): Promise<ReclaimSystem> {
  if (plan.system === 'origin') return openOriginSystem(plan, replay, resources);
  return openChromiumSystem(plan, replay, bench, resources);
}

async function newRun(
  plan: ReclaimPlan,
  bench: ReclaimBench,
  system: ReclaimSystem,
): Promise<ReclaimRun> {
  const run: ReclaimRun = {
    ...runHead('reclaim', bench, new Date()),
    plan,
    environment: await describeEnvironment({
      chromium: system.chromium ?? { version: 'not used', path: '', flags: [] },
      storage: system.storage,
      timerStepMs: null,
    }),
  };
  await bench.directory.writeRun(run);
  return run;
}
