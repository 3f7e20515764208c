import {
  type Account,
  accountText,
  type ConformanceWitness,
  differingWitnesses,
  type JudgePlay,
  type Violation,
  violations,
} from './play.ts';

/** A side that played a situation fewer times than this may vary, unseen. */
export const fewestPlays = 2;

export const situationOutcomes = ['same', 'different', 'unsteady', 'not played'] as const;
/**
 * `unsteady`: a side varies from play to play, so that a difference would be of no meaning. `not played`: a side played it
 * less than twice.
 */
export type SituationOutcome = (typeof situationOutcomes)[number];

/** What one situation showed on both sides. */
export interface SituationRow {
  situation: string;
  topic: string;
  outcome: SituationOutcome;
  /** The witnesses that tell the sides apart; empty unless `different`. */
  differsBy: ConformanceWitness[];
  /** What each side showed: page; Resource Timing; origin. Accounts that varied are separated by ` or `. */
  baseline: string;
  candidate: string;
  /** The safety rules that any play of a side broke. */
  brokenByBaseline: Violation[];
  brokenByCandidate: Violation[];
  /** Those that only the candidate broke. */
  brokenNow: Violation[];
  /** Plays of each side. */
  plays: readonly [baseline: number, candidate: number];
}

/** Compares all plays of one situation. */
export function situationRow(
  { situation, topic }: { situation: string; topic: string },
  baseline: readonly JudgePlay[],
  candidate: readonly JudgePlay[],
): SituationRow {
  const sides = [accountsOf(baseline), accountsOf(candidate)] as const;
  const [one, other] = [brokenIn(baseline), brokenIn(candidate)];
  const outcome = outcomeOf([baseline.length, candidate.length], sides);
  const [first, second] = [baseline[0], candidate[0]];
  return {
    situation,
    topic,
    outcome,
    differsBy: outcome === 'different' && first && second ? differingWitnesses(first, second) : [],
    baseline: sides[0].join(' or '),
    candidate: sides[1].join(' or '),
    brokenByBaseline: one,
    brokenByCandidate: other,
    brokenNow: other.filter((each) => !one.includes(each)),
    plays: [baseline.length, candidate.length],
  };
}

function outcomeOf(
  plays: readonly number[],
  [baseline, candidate]: readonly [readonly string[], readonly string[]],
): SituationOutcome {
  if (Math.min(...plays) < fewestPlays) return 'not played';
  if (baseline.length > 1 || candidate.length > 1) return 'unsteady';
  return baseline[0] === candidate[0] ? 'same' : 'different';
}

function accountsOf(plays: readonly Account[]): string[] {
  return [...new Set(plays.map(accountText))];
}

/** The worst first. */
function brokenIn(plays: readonly JudgePlay[]): Violation[] {
  return violations.filter((each) => plays.some((play) => play.violations.includes(each)));
}
