import { least } from '../extremes.ts';
import { type Comparison, defaultAlpha } from './comparison.ts';
import { medianInterval } from './median-interval.ts';
import { isPrecise } from './precision.ts';
import type { Reading } from './readings.ts';
import { judgedFamilies, type Verdict, type VerdictOptions } from './verdict.ts';

/** One cell of a plan, with its readings so far. */
export interface CellSoFar {
  /** Unique in the plan. */
  cell: string;
  readings: readonly Reading[];
}

/** Two cells to compare: the first against the second. */
export interface CellPair {
  of: string;
  against: string;
  /** Pairs of one question are judged as one family. */
  question: string;
}

/** State of the sampling. The caller keeps `looks` from one decision to the next and passes it back unchanged. */
export interface SamplingState {
  cells: readonly CellSoFar[];
  /** May be empty. */
  pairs: readonly CellPair[];
  elapsedMs: number;
  /** Number of readings of the smallest cell at each interim look at the comparisons; empty at first. */
  looks: readonly number[];
}

/** When to stop sampling. */
export interface StopOptions {
  /** A cell is precise enough when both ends of its interval are within this share of the median. */
  precision?: number | undefined;
  /** No decision before every cell has this many readings. Default 20. */
  floor?: number | undefined;
  /** Number of readings of each unfinished cell before the next decision, interleaved. Default 10. */
  batch?: number | undefined;
  /** Maximum number of readings of a cell. Default 1000. */
  mostReadings?: number | undefined;
  maxTimeMs?: number | undefined;
  /** How to judge comparisons; without it they are not judged, and do not stop the sampling. */
  verdict?: Omit<VerdictOptions, 'inconclusive'> | undefined;
}

/** Why the sampling ended. */
export type StopReason = 'precision reached' | 'comparison decided' | 'max time' | 'max samples';

/** The readings that a cell still needs. */
export interface CellNeed {
  cell: string;
  /** Readings to take now, best in a new launch: more readings of the same launches help less. */
  batch: number;
}

/** A comparison of two cells, judged at the significance level that remains after the interim looks. */
export interface JudgedPair {
  comparison: Comparison;
  verdict: Verdict;
}

/** Take these batches, interleaved, then decide again. */
export interface ContinueDecision {
  action: 'continue';
  cells: CellNeed[];
  looks: readonly number[];
}

/** Take no more. */
interface EndDecision {
  action: 'stop';
  reason: StopReason;
  looks: readonly number[];
  /**
   * One per pair, in order; empty without `verdict`. Whoever judges the saved readings again must do it at the same
   * level (`levelAtStop`): a judgement at 5 % would be biased.
   */
  judged: JudgedPair[];
}

/** The decision after a batch: take more, or stop. */
export type StopDecision = ContinueDecision | EndDecision;

/** Defaults of `StopOptions`, in readings of one cell. */
const defaultFloor = 20;
const defaultBatch = 10;
export const defaultMostReadings = 1000;

/** The least growth factor of the smallest cell between two looks, because each look costs significance level. */
const growthBetweenLooks = 1.5;

/**
 * Continues or stops, with the reason. Pure: the same samples give the same decision.
 *
 * Stopping at the first look that shows a difference would call equal cells DIFFERENT far more often than alpha. So
 * each look spends some of alpha. Half of alpha is for the looks, and the k-th look spends 1 / (k (k + 1)) of that
 * half; the other half is kept for the end. Over any number of looks the sum stays within alpha (Bonferroni; cf. Lan
 * and DeMets 1983), for a false SAME and for a false DIFFERENT. A look is taken only when the smallest cell has grown
 * by half since the last look. Stopping for precision spends no alpha, because a width has no direction. But groups
 * that are narrow by chance stop first, so their 95 % intervals contained the true value in 93 %. Simulated in
 * scripts/bench/statistics.ts: two equal cells were called DIFFERENT in 1 % of runs (17 % without alpha spending, with
 * a look at every batch), and cells that differ by the margin SAME in 2 %.
 *
 * Throws CS_UNKNOWN_CELL when a pair names a cell that does not exist.
 */
export function decide(state: SamplingState, options: StopOptions): StopDecision {
  const { floor = defaultFloor, mostReadings = defaultMostReadings, maxTimeMs } = options;
  const { looks } = state;
  const smallest = least(state.cells.map(({ readings }) => readings.length));
  const late = maxTimeMs !== undefined && state.elapsedMs >= maxTimeMs;
  if (smallest < Math.min(floor, mostReadings)) {
    return late ? stopAt('max time', state, options) : continued(state, options, floor);
  }
  const isLookDue =
    options.verdict &&
    state.pairs.length > 0 &&
    smallest >= (looks.at(-1) ?? 0) * growthBetweenLooks;
  const now = isLookDue ? { ...state, looks: [...looks, smallest] } : state;
  const decided = isLookDue ? stopAt('comparison decided', now, options) : null;
  if (decided?.judged.every(({ verdict }) => verdict.outcome !== 'UNKNOWN')) return decided;
  if (options.precision !== undefined && unfinished(now, options).length === 0) {
    return stopAt('precision reached', now, options);
  }
  if (late) return stopAt('max time', now, options);
  const next = continued(now, options, Infinity);
  return next.cells.length > 0 ? next : stopAt('max samples', now, options);
}

/**
 * The share of `alpha` that the `look`-th look (from 1) may spend: over any number of looks the sum is at most `alpha`.
 */
export function alphaOfLook(look: number, alpha: number): number {
  return alpha / (look * (look + 1));
}

/**
 * The significance level for judging comparisons after sampling has stopped, given the total `alpha`: the level of the
 * last look when that look stopped it, otherwise the half that is kept for the end.
 */
export function levelAtStop(
  reason: StopReason,
  looks: readonly number[],
  alpha = defaultAlpha,
): number {
  return reason === 'comparison decided' ? alphaOfLook(looks.length, alpha / 2) : alpha / 2;
}

/** Judges every pair at `alpha`. */
function judgePairs(
  { cells, pairs }: SamplingState,
  { verdict }: StopOptions,
  alpha: number,
): JudgedPair[] {
  if (!verdict) return [];
  const readingsOf = (name: string): readonly Reading[] => {
    const found = cells.find(({ cell }) => cell === name);
    if (found) return found.readings;
    throw new Error(
      `CS_UNKNOWN_CELL: a pair names the cell ${name}, which is not one of ${cells.map(({ cell }) => cell).join(', ')}; pair cells of the plan only`,
    );
  };
  const groups = pairs.map(({ of, against, question }) => ({
    question,
    of: readingsOf(of),
    against: readingsOf(against),
    names: { of, against },
  }));
  return judgedFamilies(groups, { ...verdict, alpha, inconclusive: null });
}

function stopAt(reason: StopReason, state: SamplingState, options: StopOptions): EndDecision {
  const alpha = levelAtStop(reason, state.looks, options.verdict?.alpha);
  return { action: 'stop', reason, looks: state.looks, judged: judgePairs(state, options, alpha) };
}

function continued(state: SamplingState, options: StopOptions, upTo: number): ContinueDecision {
  const { batch = defaultBatch, mostReadings = defaultMostReadings, precision } = options;
  const imprecise = new Set(unfinished(state, options));
  const compared = new Set(
    options.verdict ? state.pairs.flatMap(({ of, against }) => [of, against]) : [],
  );
  const isWanted = (cell: string): boolean =>
    upTo < Infinity || precision === undefined || imprecise.has(cell) || compared.has(cell);
  const most = Math.min(upTo, mostReadings);
  const cells = state.cells
    .filter(({ cell, readings }) => readings.length < most && isWanted(cell))
    .map(({ cell, readings }) => ({ cell, batch: Math.min(batch, most - readings.length) }));
  return { action: 'continue', cells, looks: state.looks };
}

/** The cells whose interval is not narrow enough yet. */
function unfinished({ cells }: SamplingState, options: StopOptions): string[] {
  const { precision } = options;
  if (precision === undefined) return [];
  return cells
    .filter(({ readings }) => !isPrecise(medianInterval(readings), precision))
    .map(({ cell }) => cell);
}
