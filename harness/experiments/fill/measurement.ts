import { greatest, least } from '@cachescope/model/extremes.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { FillPlan, FillSuite, FillSystem } from '@cachescope/model/fill/plan.ts';
import type { FillQuestionName } from '@cachescope/model/fill/question.ts';
import type { FillLine, FillRun } from '@cachescope/model/fill/run.ts';
import type { FillTrial } from '@cachescope/model/fill/trial.ts';
import type { LoggedRequest } from '@cachescope/origin/request-log.ts';
import { browserChoice } from '../../browser/settings.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { shuffle } from '../../lab/schedule.ts';
import type { FillFound } from './needs.ts';
import { askBrowser } from './questions.ts';
import { startReaderServer } from './reader-server.ts';
import { startFillOrigin } from './server.ts';
import { type FillLab, readThrough } from './system.ts';

type FillSession = RunSession<FillRun, FillLine, FillFound>;

/** Number of trials and questions of a plan. */
export function plannedTrials(plan: FillPlan): number {
  return plan.systems.length * plan.suites.length * plan.rounds + plan.questions.length;
}

/** Runs every system under every suite, in a new random order each round, then asks the questions. */
export async function takeFill(session: FillSession): Promise<null> {
  const { plan, storage } = session.found;
  const lab = await openLab(session);
  // A failure of one system must not stop the others.
  for (const cell of schedule(plan))
    await session.attempt(`${cell.system}, ${cell.suite.name}`, () =>
      takeTrial(session, lab, cell),
    );
  for (const name of plan.questions as FillQuestionName[])
    await session.attempt(`question ${name}`, async () => {
      const question = await askBrowser(lab, name, storage);
      await session.keep({ sequence: session.lines.length, ...question });
    });
  return null;
}

async function openLab(session: FillSession): Promise<FillLab> {
  const { found, privilege, extensionDirectory, resources, work } = session;
  const { plan, nginx, browserPath, headful, unavailable } = found;
  const origin = await startFillOrigin();
  resources.defer(() => origin.close());
  const readers = await startReaderServer();
  resources.defer(() => readers.close());
  const chromium = { version: 'not used', path: browserPath ?? '', flags: [] };
  const storage = 'ordinary storage, the temporary directory';
  const versions = { own: nginx.own?.version ?? null, patched: nginx.patched?.version ?? null };
  const run = await session.begin(
    { chromium, storage, timerStepMs: null },
    { plan, unavailable, nginx: versions },
  );
  return {
    plan,
    origin,
    readers,
    privilege,
    nginx,
    browser:
      browserPath === null
        ? null
        : {
            executablePath: browserPath,
            extra: browserChoice(plan.settings ?? {}).extra,
            extensionDirectory,
            headful,
            directory: work,
          },
    shouldStop: () => session.shouldStop(),
    warn: (sentence) => session.warn(sentence),
    noteChromium: ({ version, flags }) =>
      Object.assign(run.environment.chromium, { version, flags }),
  };
}

/** One trial of the schedule. */
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

async function takeTrial(
  session: FillSession,
  lab: FillLab,
  { round, suite, system }: Scheduled,
): Promise<void> {
  const sequence = session.lines.length;
  const startedAt = new Date().toISOString();
  const mark = await lab.origin.mark();
  const originBusy = lab.origin.watchBusy();
  // The time is part of the prefix too, because the trial after a failed one has the same sequence number.
  const prefix = `trial-${sequence}-${Date.now().toString(36)}`;
  const reading = await readThrough(lab, system, suite, prefix);
  const { requests, clientMs, contexts, busy, failure } = reading;
  const seen = await lab.origin.since(mark).catch((error: unknown) => {
    // The log of a failed origin cannot be read; the failure itself is the better error.
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
    cutShort: session.shouldStop() || failure !== null,
  };
  await session.keep(trial);
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
    durationMs: seen.length === 0 ? 0 : greatest(ended) - least(began),
  };
}
