import { histogramsNeeded } from '@cachescope/model/features/effect.ts';
import type { SideEvidence } from '@cachescope/model/judge/evidence.ts';
import { judgedPair } from '@cachescope/model/judge/effect.ts';
import {
  type JudgeLine,
  type JudgePlan,
  type JudgeRun,
  partsOf,
  playId,
} from '@cachescope/model/judge/run.ts';
import { withheldWarnings } from '@cachescope/model/features/variant-pair.ts';
import { counted } from '@cachescope/model/quantity.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { join } from 'node:path';
import { browserChoice } from '../../browser/settings.ts';
import { evidenceOf } from '../../conformance/evidence.ts';
import { ConformanceOrigin } from '../../conformance/origin.ts';
import { SidePlayer } from '../../conformance/side.ts';
import type { Situation } from '../../conformance/situation.ts';
import { conformanceSituations } from '../../conformance/situations.ts';
import { messageOf } from '../../error.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { shuffle } from '../../lab/schedule.ts';
import type { Found } from '../experiment.ts';
import { lacking as costLacking } from '../storing/measurement.ts';
import { openLab, plannedSteps as costSteps, takePasses } from '../storing/passes.ts';
import type { StoringPlan } from '@cachescope/model/storing/run.ts';
import type { JudgeAsked } from './options.ts';

/** What the experiment needs. */
export type JudgeFound = Found & JudgeAsked;
type Session = RunSession<JudgeRun, JudgeLine, JudgeFound>;

/** A side of the run. */
interface Seat {
  name: string;
  player: SidePlayer;
}

/** Situations of one topic that share a browser. */
type Batch = readonly Situation[];

/** The situations of a plan in batches, in their order. */
function batchesOf({ situations }: Pick<JudgePlan, 'situations'>): Batch[] {
  const wanted = new Set(situations);
  const known = conformanceSituations.filter(({ name }) => wanted.has(name));
  const keyOf = ({ topic, settings = {} }: Situation) => JSON.stringify([topic, settings]);
  return [...Map.groupBy(known, keyOf).values()];
}

/** Number of steps: each round has one for each batch and side; and those of the cost. */
export function plannedSteps(plan: JudgePlan): number {
  const ofCost = plan.cost ? costSteps(plan.cost) : 0;
  return batchesOf(plan).length * plan.rounds * plan.variants.length + ofCost;
}

/** Plays every situation on both sides, in rounds. Both browsers stay open and take the batches in turn. */
export async function measureJudge(session: Session): Promise<string | null> {
  const { plan } = session.found;
  const seats = await begin(session);
  const batches = batchesOf(plan);
  const random = createRandom(plan.seed);
  for (let round = 0; round < plan.rounds && !session.shouldStop(); round++)
    for (const batch of batches)
      for (const seat of shuffle(seats, random)) {
        const title = `${batch[0]?.topic}, ${seat.name}, round ${round + 1}`;
        await session.attempt(title, () => takeBatch(session, seat, batch, round));
      }
  if (plan.cost && !session.shouldStop()) await takeCost(session, plan.cost);
  return session.shouldStop() ? null : lacking(session);
}

/** Measures the cost as `storing` does. A resumed run goes on with the next pass. */
async function takeCost(session: Session, plan: StoringPlan): Promise<void> {
  const { readings } = partsOf(session.lines);
  const { chromiumPath } = session.found;
  const lab = await openLab(session, { chromiumPath, headful: false }, plan);
  await takePasses(lab, plan, {
    host: session,
    keep: (reading) => session.keep({ sequence: session.lines.length, ...reading }),
    from: Math.max(0, ...readings.map(({ pass }) => pass + 1)),
  });
}

async function begin(session: Session): Promise<Seat[]> {
  const { found, resources, work } = session;
  const { plan, chromiumPath: executablePath } = found;
  const origin = resources.use(await ConformanceOrigin.start());
  const settings = plan.variants.map((variant) => ({ ...plan.settings, ...variant }));
  const seats = plan.variants.map(({ name }, index): Seat => {
    const own = { settings: settings[index] ?? {}, otherSettings: settings[1 - index] ?? {} };
    const player = new SidePlayer({ origin, executablePath, work: join(work, `${index}`), ...own });
    return { name, player: resources.use(player) };
  });
  const histograms = histogramsNeeded(settings);
  const evidence: SideEvidence[] = [];
  for (const { name, player } of seats)
    evidence.push({ variant: name, ...(await evidenceOf(player, histograms)) });
  const { extra: flags } = browserChoice(settings[0] ?? {});
  const chromium = { version: evidence[0]?.version ?? '', path: executablePath, flags };
  await session.begin(
    { chromium, storage: 'ordinary storage', timerStepMs: null },
    { plan, evidence },
  );
  for (const warning of withheldWarnings([judgedPair(session.run)])) session.warn(warning);
  return seats;
}

/** What failed does not keep the rest of the batch from being played. */
async function takeBatch(
  session: Session,
  { name: variant, player }: Seat,
  batch: Batch,
  round: number,
): Promise<void> {
  const taken = new Set(partsOf(session.lines).plays.map(playId));
  const failures: string[] = [];
  for (const situation of batch) {
    const line = { round, variant, situation: situation.name, topic: situation.topic };
    if (session.shouldStop() || taken.has(playId(line))) continue;
    try {
      await session.keep({ ...line, ...(await timedPlay(session, player, situation, round)) });
    } catch (error) {
      failures.push(`${situation.name}: ${messageOf(error)}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

async function timedPlay(
  session: Session,
  player: SidePlayer,
  situation: Situation,
  round: number,
) {
  const startedMs = performance.now();
  const play = await withFreshBrowsers(
    (sentence) => session.warn(`${situation.name}: ${sentence}`),
    (attempt) => player.play(situation, playingOf(session, round, attempt)),
  );
  return {
    page: [...play.page],
    timing: [...play.timing],
    origin: [...play.origin],
    violations: [...play.violations],
    tookMs: performance.now() - startedMs,
    takenAt: new Date().toISOString(),
  };
}

/** Unique in the run: each play that is kept adds a line. */
function playingOf({ lines }: Session, round: number, attempt: number): string {
  return `${round}-${lines.length}-${attempt}`;
}

function lacking(session: Session): string | null {
  const {
    lines,
    found: { plan },
  } = session;
  const wanted = plan.situations.length * plan.rounds * plan.variants.length;
  const { plays, readings } = partsOf(lines);
  const missing = wanted - plays.length;
  const reasons = [
    missing > 0 ? `${counted(missing, 'play')} of ${wanted} missing` : null,
    plan.cost ? costLacking(readings, session) : null,
  ].filter((reason) => reason !== null);
  return reasons.length > 0 ? reasons.join('; ') : null;
}
