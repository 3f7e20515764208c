import { greatest, knownSum, least } from '@cachescope/model/extremes.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { FillPlan } from '@cachescope/model/fill/plan.ts';
import type { FillQuestionName } from '@cachescope/model/fill/question.ts';
import type { FillTrial } from '@cachescope/model/fill/trial.ts';
import type { LoggedRequest } from '@cachescope/origin/request-log.ts';
import { shuffle } from '../../lab/schedule.ts';
import { type FillLab, type FillSession, openLab } from './lab.ts';
import { askBrowser } from './questions.ts';
import { readThrough } from './system.ts';

/** Number of trials and questions of a plan. */
export function plannedTrials(plan: FillPlan): number {
  return plan.systems.length * plan.suites.length * plan.rounds + plan.questions.length;
}

/** Runs every system under every suite, in a new random order each round, then asks the questions. */
export async function measureFill(session: FillSession): Promise<null> {
  const { plan, storage } = session.found;
  const lab = await openLab(session);
  // A failure of one system must not stop the others.
  for (const cell of schedule(plan))
    await session.attempt(`${cell.system}, ${cell.suite.name}`, () => takeTrial(lab, cell));
  for (const name of plan.questions as FillQuestionName[])
    await session.attempt(`question ${name}`, async () => {
      const {
        result: { result: question, flags },
        flags: linkFlags,
      } = await session.link.proven(() => session.watched(() => askBrowser(lab, name, storage)));
      if (linkFlags.length > 0) throw new Error('the link was not as set');
      if (flags.length > 0) throw new Error('a process or the machine was suspended meanwhile');
      await session.keep({ sequence: session.lines.length, ...question });
    });
  return null;
}

/** The trials, in the order in which they are taken. */
function schedule({ rounds, suites, systems, seed }: FillPlan) {
  const random = createRandom(seed);
  const cells = suites.flatMap((suite) => systems.map((system) => ({ suite, system })));
  return Array.from({ length: rounds }, (_, round) =>
    shuffle(cells, random).map((cell) => ({ ...cell, round })),
  ).flat();
}

async function takeTrial(
  lab: FillLab,
  { round, suite, system }: ReturnType<typeof schedule>[number],
): Promise<void> {
  const { session } = lab;
  const sequence = session.lines.length;
  const startedAt = new Date().toISOString();
  const mark = await lab.origin.mark();
  const originBusy = lab.origin.watchBusy();
  // The time is part of the prefix too, because the trial after a failed one has the same sequence number.
  const prefix = `trial-${sequence}-${Date.now().toString(36)}`;
  const read = () => readThrough(lab, system, suite, prefix);
  const {
    result: { result: reading, flags },
    flags: linkFlags,
  } = await session.link.proven(() => session.watched(read));
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
    ...(flags.length > 0 && { suspended: true }),
    ...(linkFlags.length > 0 && { linkOff: true }),
  };
  await session.keep(trial);
  if (failure !== null) throw failure;
}

function originSide(seen: readonly LoggedRequest[]): FillTrial['origin'] {
  const began = seen.map(({ receivedAt }) => Date.parse(receivedAt));
  const ended = seen.map(({ finishedAt, receivedAt }) => Date.parse(finishedAt ?? receivedAt));
  return {
    requests: seen.length,
    bytes: knownSum(seen.map(({ bodyBytes }) => bodyBytes)),
    durationMs: seen.length === 0 ? 0 : greatest(ended) - least(began),
  };
}
