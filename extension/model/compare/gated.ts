import { digits } from '../quantity.ts';
import type { Comparison } from '../statistics/comparison.ts';
import type { Interval } from '../statistics/interval.ts';
import type { Gate, Limit } from './gate.ts';
import type { ComparisonDocument } from './run.ts';
import { type ComparedCell, type ComparisonSummary, placeOf } from './summary.ts';

/**
 * `failed`: the difference is significant and its whole interval is beyond the limit. `passed`: the whole interval is
 * within the limit, or the verdict is DIFFERENT in the allowed direction. `unknown`: the data do not decide. A verdict
 * of SAME passes only a gate without a limit: with one, the equivalence margin does not count.
 */
export type GateOutcome = 'passed' | 'failed' | 'unknown';

/** The result of a gate for one pair of groups. */
export interface GatedCell {
  /** `5 ms, DCB`. */
  place: string;
  outcome: GateOutcome;
  /** The verdict and the result of the gate, in a sentence. */
  sentence: string;
}

/** The results of a gate for every pair of a comparison. */
export interface GatedComparison {
  gate: Gate;
  /** Name of the metric that was compared. */
  metric: string;
  cells: GatedCell[];
  outcomes: Record<GateOutcome, number>;
}

/**
 * Applies a gate to a comparison of its metric. A group that only one side has is unknown, because it was not compared.
 */
export function gated(
  gate: Gate,
  { run }: ComparisonDocument,
  summary: ComparisonSummary,
): GatedComparison {
  const { name, measure } = run.plan.metric;
  const compared = summary.cells.map((cell): GatedCell => {
    const outcome = outcomeOf(gate, cell);
    return {
      place: placeOf(cell),
      outcome,
      sentence: cell.sentence.replace(
        /\.$/,
        () => `; ${outcomeText(outcome, gate, measure.unit)}.`,
      ),
    };
  });
  const alone = run.unmatched.map((place): GatedCell => {
    return { place, outcome: 'unknown', sentence: 'Not compared, because one side lacks it.' };
  });
  const cells = [...compared, ...alone];
  const count = (wanted: GateOutcome): number =>
    cells.filter(({ outcome }) => outcome === wanted).length;
  const outcomes = {
    passed: count('passed'),
    failed: count('failed'),
    unknown: count('unknown'),
  };
  return { gate, metric: name, cells, outcomes };
}

/** `failed at 2 of 24, not decided at 3 of 24, passed at 19 of 24`. */
export function outcomesText({ outcomes, cells }: GatedComparison): string {
  return (['failed', 'unknown', 'passed'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcomeWords[outcome]} at ${outcomes[outcome]} of ${cells.length}`)
    .join(', ');
}

/** The cells of a gate with this outcome. */
export function cellsThat(outcome: GateOutcome, { cells }: GatedComparison): GatedCell[] {
  return cells.filter((cell) => cell.outcome === outcome);
}

const outcomeWords: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'not decided',
};

const limitWords: Readonly<Record<GateOutcome, string>> = {
  passed: 'within the limit of',
  failed: 'beyond the limit of',
  unknown: 'not decided for the limit of',
};

function outcomeText(outcome: GateOutcome, { limit }: Gate, unit: string): string {
  if (limit === null) return `gate ${outcomeWords[outcome]}`;
  const most =
    'share' in limit ? `${digits(100 * limit.share)} %` : `${digits(limit.amount)} ${unit}`;
  return `${limitWords[outcome]} ${most}`;
}

function outcomeOf({ direction, limit }: Gate, cell: ComparedCell): GateOutcome {
  if (cell.verdict.reason === 'inconclusive') return 'unknown';
  if (limit === null && cell.verdict.outcome === 'SAME') return 'passed';
  const [interval, most] = measured(limit, cell.comparison);
  const sides = (['greater', 'lesser'] as const).filter(
    (side) => direction === 'either' || direction === side,
  );
  const outcomes = new Set(sides.map((side) => outcomeOn(side, interval, most, cell)));
  return (['failed', 'unknown'] as const).find((outcome) => outcomes.has(outcome)) ?? 'passed';
}

/** A limit of 0 does not depend on the baseline, so it also works with a baseline of 0. */
function measured(
  limit: Limit | null,
  { relativeInterval, differenceInterval }: Comparison,
): [Interval | null, number] {
  if (limit === null) return [differenceInterval, 0];
  if ('amount' in limit) return [differenceInterval, limit.amount];
  return [limit.share === 0 ? differenceInterval : relativeInterval, limit.share];
}

function outcomeOn(
  side: 'greater' | 'lesser',
  interval: Interval | null,
  most: number,
  { verdict, comparison }: ComparedCell,
): GateOutcome {
  if (verdict.direction !== null && verdict.direction !== side) return 'passed';
  if (interval === null) return withoutInterval(side, comparison);
  const [low, high] =
    side === 'greater' ? [interval.low, interval.high] : [-interval.high, -interval.low];
  if (verdict.beyondChance && low > most) return 'failed';
  return high <= most ? 'passed' : 'unknown';
}

/**
 * Two constant counts have no interval as a share of 0. Equal medians are no difference; otherwise the outcome is
 * unknown.
 */
function withoutInterval(
  side: 'greater' | 'lesser',
  { differenceInterval }: Comparison,
): GateOutcome {
  if (differenceInterval === null) return 'unknown';
  const farthest = side === 'greater' ? differenceInterval.high : -differenceInterval.low;
  return farthest <= 0 ? 'passed' : 'unknown';
}
