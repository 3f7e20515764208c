import { variantPairSentence } from '../features/variant-pair.ts';
import { counted } from '../quantity.ts';
import { type Trust, trustOfTally } from '../run/trust.ts';
import { judgedPair } from './effect.ts';
import { safetyRules, type Violation, violations } from './play.ts';
import { costHeadline, costOf, type JudgedCost } from './cost.ts';
import { type JudgeRunDocument, partsOf } from './run.ts';
import {
  type SituationOutcome,
  situationOutcomes,
  type SituationRow,
  situationRow,
} from './situation-row.ts';

/**
 * `BROKEN`: the candidate breaks a safety rule that the baseline keeps. `DIFFERENT`: pages or the origin can tell the two
 * apart. `SAME`: in no steady situation. `NO VERDICT`: the candidate is not shown to be in effect, or situations were not
 * played that might differ. `NOT JUDGED`: conformance is no part of the run.
 */
export type JudgeVerdict = 'BROKEN' | 'DIFFERENT' | 'SAME' | 'NO VERDICT' | 'NOT JUDGED';

/** Situations in which a safety rule was broken. */
export interface SafetyRow {
  rule: Violation;
  baseline: string[];
  candidate: string[];
  /** Those in which only the candidate broke it. */
  candidateOnly: string[];
}

export type OutcomeCounts = Record<SituationOutcome, number>;

/** Derived from run.json and plays.ndjson only. */
export interface JudgeSummary {
  trust: Trust;
  verdict: JudgeVerdict;
  /** Why there is no verdict, as a clause; null: there is one. */
  withheld: string | null;
  /** Sentences, the answer first. */
  finding: string[];
  counts: OutcomeCounts;
  safety: SafetyRow[];
  rows: SituationRow[];
  /** What the candidate costs; null: that is no part of the run. */
  cost: JudgedCost | null;
}

/** Judges the candidate by all plays. */
export function summarizeJudge({ run, plays: lines }: JudgeRunDocument): JudgeSummary {
  const { plays, readings } = partsOf(lines);
  const { variants, situations } = run.plan;
  const [against = '', of = ''] = variants.map(({ name }) => name);
  const bySituation = Map.groupBy(plays, ({ situation }) => situation);
  const rows = situations.map((situation) => {
    const own = bySituation.get(situation) ?? [];
    const playsOf = (name: string) => own.filter(({ variant }) => variant === name);
    const { topic = '' } = own[0] ?? {};
    return situationRow({ situation, topic }, playsOf(against), playsOf(of));
  });
  const counts = countsOf(rows);
  const safety = violations.map((rule): SafetyRow => ({
    rule,
    baseline: named(rows, (row) => row.brokenByBaseline.includes(rule)),
    candidate: named(rows, (row) => row.brokenByCandidate.includes(rule)),
    candidateOnly: named(rows, (row) => row.brokenNow.includes(rule)),
  }));
  const pair = judgedPair(run);
  const found = verdictOf(pair.inconclusive, safety, counts, rows.length);
  const cost = costOf(run, readings, pair);
  return {
    // What a busy machine slows down is no matter of conformance.
    trust: cost?.trust ?? trustOfTally({ taken: plays.length, flagged: 0, cells: [] }),
    ...found,
    finding: [
      ...(found.withheld === null ? [] : [`There is no verdict: ${found.withheld}.`]),
      ...(rows.length === 0
        ? []
        : [
            ...safetySentences(safety, { against, of }),
            differenceSentence(counts, { against, of }),
          ]),
      ...(cost ? [costHeadline(cost, of), ...cost.finding] : []),
      ...(pair.effects.length > 0 ? [variantPairSentence(pair)] : []),
    ],
    counts,
    safety,
    rows,
    cost,
  };
}

function verdictOf(
  inconclusive: string | null,
  safety: readonly SafetyRow[],
  counts: OutcomeCounts,
  situations: number,
): Pick<JudgeSummary, 'verdict' | 'withheld'> {
  if (situations === 0) return { verdict: 'NOT JUDGED', withheld: null };
  if (inconclusive !== null) return { verdict: 'NO VERDICT', withheld: inconclusive };
  if (safety.some(({ candidateOnly }) => candidateOnly.length > 0))
    return { verdict: 'BROKEN', withheld: null };
  if (counts.different > 0) return { verdict: 'DIFFERENT', withheld: null };
  const missing = counts['not played'];
  if (missing > 0)
    return {
      verdict: 'NO VERDICT',
      withheld: `${counted(missing, 'situation')} not played twice on each side`,
    };
  return { verdict: 'SAME', withheld: null };
}

/** Counts of the outcomes of some situations. */
export function countsOf(rows: readonly SituationRow[]): OutcomeCounts {
  const count = (outcome: SituationOutcome) => rows.filter((row) => row.outcome === outcome).length;
  return Object.fromEntries(
    situationOutcomes.map((outcome) => [outcome, count(outcome)]),
  ) as OutcomeCounts;
}

function named(rows: readonly SituationRow[], holds: (row: SituationRow) => boolean): string[] {
  return rows.filter(holds).map(({ situation }) => situation);
}

interface Sides {
  against: string;
  of: string;
}

function safetySentences(safety: readonly SafetyRow[], { against, of }: Sides): string[] {
  const sentences = safety.flatMap(({ rule, baseline, candidate, candidateOnly }) => {
    const both = candidate.filter((name) => !candidateOnly.includes(name));
    const baselineOnly = baseline.filter((name) => !candidate.includes(name));
    return [
      [of, candidateOnly] as const,
      [`${of} and ${against}`, both] as const,
      [`only ${against}`, baselineOnly] as const,
    ].flatMap(([who, names]) =>
      names.length === 0
        ? []
        : [`Safety, ${safetyRules[rule]}: ${who}, in ${inSituations(names)}.`],
    );
  });
  const isKept = safety.every(({ candidateOnly }) => candidateOnly.length === 0);
  return [...(isKept ? [`${of} breaks no safety rule that ${against} keeps.`] : []), ...sentences];
}

function inSituations(names: readonly string[]): string {
  return `${counted(names.length, 'situation')} (${names.join('; ')})`;
}

function differenceSentence(counts: OutcomeCounts, { against, of }: Sides): string {
  const { same, different, unsteady, 'not played': missing } = counts;
  const others = [
    `${same} the same`,
    ...(unsteady > 0 ? [`${unsteady} unsteady on a side`] : []),
    ...(missing > 0 ? [`${missing} not played`] : []),
  ];
  return `${of} differs from ${against} in ${counted(different, 'situation')}; ${others.join(', ')}.`;
}
