import { unflagged } from '../run/flags.ts';
import { microCellKey, type MicroSlice } from './slice.ts';
import { readingsOf } from './statistics.ts';
import { type Comparison, compare } from '../statistics/comparison.ts';
import type { Interval } from '../statistics/interval.ts';
import { alphaOfLook } from '../statistics/stop-rule.ts';

/** Parameters of a search. */
export interface SearchRule {
  /** Share by which disk must be slower to count as slower. */
  margin: number;
  /** Launches that compare a size in each round. */
  launchesPerRound: number;
}

/** Comparison of hits of one size: disk against memory. */
export interface SizeComparison {
  bytes: number;
  /** Medians, ms; null: no usable runs. */
  diskMs: number | null;
  memoryMs: number | null;
  /** Disk time over memory time, minus 1; the more rounds, the wider the interval. */
  relative: number | null;
  relativeInterval: Interval | null;
  /** Confidence of the interval, 0 to 1: 0.95 in the first round. */
  confidence: number;
  /**
   * `slower`: the whole interval is above the margin; `not slower`: the whole interval is at most the margin; `open`:
   * neither.
   */
  outcome: 'slower' | 'not slower' | 'open';
}

/** The size from which on, under one condition, disk is clearly slower than memory. Sizes in bytes. */
export interface Crossover {
  storage: MicroSlice['cell']['storage'];
  delayMs: number;
  state: MicroSlice['cell']['state'];
  sizes: SizeComparison[];
  /**
   * `found`; `at all sizes`: slower from the smallest size on; `at smaller sizes`: slower at some size, but not shown to
   * be at the largest; `at no size`: not shown to be slower at any size.
   */
  answer: 'found' | 'at all sizes' | 'at smaller sizes' | 'at no size';
  /** Size at which the relative difference crosses the margin, interpolated between two sizes; null unless found. */
  bytes: number | null;
  /**
   * Bounds of the crossover: the largest size shown not to be slower, and the smallest from which on all are slower.
   * null: none.
   */
  lowBytes: number | null;
  highBytes: number | null;
}

/** Probability of a wrong `slower` or `not slower` for a size, over all its rounds. */
const alpha = 0.05;

/**
 * Compares the hits of one size, taken in the same launches. An open size is measured again in further launches. Each
 * round spends a part of alpha; without that, enough rounds would decide anything.
 */
function compareSize(
  bytes: number,
  disk: readonly MicroSlice[],
  memory: readonly MicroSlice[],
  { margin, launchesPerRound }: SearchRule,
): SizeComparison {
  const rounds = Math.max(1, Math.ceil(launchesOf(disk) / launchesPerRound));
  const comparison = compare(
    readingsOf(unflagged(disk)),
    readingsOf(unflagged(memory)),
    alphaOfLook(rounds, 2 * alpha),
  );
  const { relative, relativeInterval, confidence } = comparison;
  return {
    bytes,
    diskMs: comparison.of.median,
    memoryMs: comparison.against.median,
    relative,
    relativeInterval,
    confidence,
    outcome: outcomeOf(comparison, margin),
  };
}

function launchesOf(slices: readonly MicroSlice[]): number {
  return new Set(slices.map(({ launch }) => launch)).size;
}

function outcomeOf({ relativeInterval }: Comparison, margin: number): SizeComparison['outcome'] {
  if (relativeInterval === null) return 'open';
  if (relativeInterval.low > margin) return 'slower';
  return relativeInterval.high <= margin ? 'not slower' : 'open';
}

/** The bounds of the crossover from the sizes compared so far, rising. */
function boundsOf(rising: readonly SizeComparison[]): Pick<Crossover, 'lowBytes' | 'highBytes'> {
  const lastOther = rising.findLastIndex(({ outcome }) => outcome !== 'slower');
  const high = rising[lastOther + 1] ?? null;
  const low = rising.slice(0, lastOther + 1).findLast(({ outcome }) => outcome === 'not slower');
  return { lowBytes: low?.bytes ?? null, highBytes: high?.bytes ?? null };
}

/**
 * The sizes to compare next, or again. Between the bounds: the open ones, which more launches may decide; when there
 * are none, the geometric mean of the bounds. Empty when the bounds are within `closeness` (a factor) of each other, or
 * when there is no crossover to find: disk is slower at all sizes, or it is not slower at the largest size.
 */
export function nextSizes(sizes: readonly SizeComparison[], closeness: number): number[] {
  const rising = sizes.toSorted((one, other) => one.bytes - other.bytes);
  const [smallest, largest] = [rising[0], rising.at(-1)];
  if (!smallest || !largest || largest.outcome === 'not slower') return [];
  const { lowBytes, highBytes } = boundsOf(rising);
  if (highBytes === smallest.bytes) return [];
  const [low, high] = [lowBytes ?? 0, highBytes ?? Number.POSITIVE_INFINITY];
  const open = rising.filter(
    ({ bytes, outcome }) => outcome === 'open' && bytes > low && bytes < high,
  );
  if (open.length > 0) return open.map(({ bytes }) => bytes);
  if (lowBytes === null || highBytes === null || highBytes / lowBytes <= closeness) return [];
  return [Math.round(Math.sqrt(lowBytes * highBytes))];
}

/**
 * Size at which the relative difference crosses the margin, on a logarithmic scale of sizes, between the last size
 * below it and the next.
 */
function interpolated(sizes: readonly SizeComparison[], margin: number): number | null {
  const rising = sizes.filter((size) => size.relative !== null);
  const place = rising.findLastIndex(({ relative }) => (relative ?? 0) <= margin);
  const [below, above] = [rising[place], rising[place + 1]];
  if (!below || !above) return null;
  const [from = 0, to = 0] = [below.relative, above.relative].map((share) => share ?? 0);
  const share = (margin - from) / (to - from);
  return Math.round(below.bytes * (above.bytes / below.bytes) ** share);
}

function answerOf(
  rising: readonly SizeComparison[],
  highBytes: Crossover['highBytes'],
): Crossover['answer'] {
  if (highBytes !== null) return highBytes === rising[0]?.bytes ? 'at all sizes' : 'found';
  return rising.some(({ outcome }) => outcome === 'slower') ? 'at smaller sizes' : 'at no size';
}

/** The crossover under one condition, from the compared sizes. */
export function crossoverOf(
  condition: Pick<Crossover, 'storage' | 'delayMs' | 'state'>,
  compared: readonly SizeComparison[],
  margin: number,
): Crossover {
  const sizes = compared.toSorted((one, other) => one.bytes - other.bytes);
  const bounds = boundsOf(sizes);
  const answer = answerOf(sizes, bounds.highBytes);
  const bytes = answer === 'found' ? interpolated(sizes, margin) : null;
  return { ...condition, sizes, answer, bytes, ...bounds };
}

/** Every crossover that a run searched for, in the order of the conditions. */
export function crossovers(slices: readonly MicroSlice[], rule: SearchRule): Crossover[] {
  const own = slices.filter(({ cell }) => cell.part === 'crossover');
  const conditions = Map.groupBy(own, ({ cell }) =>
    microCellKey({ ...cell, cache: 'disk', bytes: 0 }),
  );
  return [...conditions.values()].flatMap((taken) => {
    const [first] = taken;
    if (!first) return [];
    const { storage, delayMs, state } = first.cell;
    const sizes = [...Map.groupBy(taken, ({ cell }) => cell.bytes)].map(([bytes, of]) => {
      const through = (cache: string) => of.filter(({ cell }) => cell.cache === cache);
      return compareSize(bytes, through('disk'), through('memory'), rule);
    });
    return [crossoverOf({ storage, delayMs, state }, sizes, rule.margin)];
  });
}
