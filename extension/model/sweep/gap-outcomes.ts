import { digits, milliseconds } from '../quantity.ts';
import { delayOf } from './delay-checks.ts';
import type { Gap, SweepPoint } from './result.ts';
import { isSameSeries, type Series, type SeriesPair, seriesName } from './series.ts';

/** Direction of the first series, only as far as the verdict of the gap supports it. */
export type GapDirection = 'slower' | 'faster' | 'same' | 'undecided';

/** What the verdict of a gap says about the first series. */
export function gapDirection({ verdict }: Pick<Gap, 'verdict'>): GapDirection {
  if (verdict.outcome === 'SAME') return 'same';
  if (verdict.outcome === 'UNKNOWN') return 'undecided';
  return verdict.direction === 'greater' ? 'slower' : 'faster';
}

/** The pairs that a sweep compares at its points, without duplicates. */
export function pairsAmong(points: readonly SweepPoint[]): SeriesPair[] {
  const pairs: SeriesPair[] = [];
  for (const gap of points.flatMap(({ gaps }) => gaps)) {
    if (!pairs.some((pair) => isSamePair(pair, gap))) pairs.push(gap);
  }
  return pairs.map(({ between, of, against }) => ({ between, of, against }));
}

function isSamePair(one: SeriesPair, other: SeriesPair): boolean {
  return isSameSeries(one.of, other.of) && isSameSeries(one.against, other.against);
}

/** The gap of a pair at a point; undefined when it was not compared there. */
export function gapAt(point: SweepPoint, pair: SeriesPair): Gap | undefined {
  return point.gaps.find((gap) => isSamePair(gap, pair));
}

/**
 * The gap of one series from another at a point, whichever of the two the sweep compares with the other; undefined when
 * it was not compared there. Its sentence names the pair as the sweep does.
 */
export function gapBetween(point: SweepPoint, of: Series, against: Series): Gap | undefined {
  const gap = gapAt(point, { between: 'arms', of, against });
  const other = gapAt(point, { between: 'arms', of: against, against: of });
  return gap ?? (other && turned(other));
}

function turned({ verdict, ...gap }: Gap): Gap {
  const minus = (value: number | null): number | null => (value === null ? null : -value);
  const { direction, better } = verdict;
  const opposite = { greater: 'lesser', lesser: 'greater' } as const;
  return {
    ...gap,
    of: gap.against,
    against: gap.of,
    ms: minus(gap.ms),
    lowMs: minus(gap.highMs),
    highMs: minus(gap.lowMs),
    // Shares of the other level are other numbers.
    relative: null,
    relativeLow: null,
    relativeHigh: null,
    verdict: {
      ...verdict,
      direction: direction && opposite[direction],
      better: better && (better === 'of' ? 'against' : 'of'),
    },
  };
}

/** The points where a pair has a known gap, with what its verdict says. */
export function judgedPoints(points: readonly SweepPoint[], pair: SeriesPair) {
  return points.flatMap((point) => {
    const gap = gapAt(point, pair);
    return gap && gap.ms !== null ? [{ point, gap, direction: gapDirection(gap) }] : [];
  });
}

/** A verdict with its place: `At 20 ms of read delay (measured 20.4 ms): ...`, `On ordinary storage (the control): ...`. */
export function verdictAt(point: SweepPoint, gap: Gap): string {
  const place =
    point.storage === 'none' ? 'On ordinary storage (the control)' : `At ${delayText(point, gap)}`;
  return `${place}: ${gap.sentence}`;
}

/** `20 ms of read delay (measured 20.4 ms)`; both measured delays where the disks of a pair differ. */
export function delayText(
  point: SweepPoint,
  { of, against }: Pick<SeriesPair, 'of' | 'against'>,
): string {
  const told = `${milliseconds(point.requestedDelayMs)} of read delay`;
  const known = [of, against]
    .map((series) => delayOf(point, series))
    .filter((delayMs) => delayMs !== null);
  const measured = [...new Set(known.map(milliseconds))];
  return measured.length > 0 ? `${told} (measured ${measured.join(' and ')})` : told;
}

/** All verdicts of a pair in one sentence, `DCB against Brotli: slower at 1 to 10 ms.`; none without a verdict. */
export function outcomesSentence(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const judged = judgedPoints(points, pair);
  const margin = judged[0]?.gap.verdict.margin;
  if (margin === undefined) return [];
  const said: Record<GapDirection, string> = {
    slower: 'slower',
    faster: 'faster',
    same: `the same within ${digits(100 * margin)} %`,
    undecided: 'unknown',
  };
  const directions = new Map(judged.map(({ point, direction }) => [point, direction]));
  const parts = Object.entries(said).flatMap(([wanted, words]) => {
    // Over all points, so that a range does not include a point without a verdict.
    const at = points.map((point) => directions.get(point) === wanted);
    return at.includes(true) ? [`${words} ${placesWhere(points, at)}`] : [];
  });
  return [`${seriesName(pair.of)} against ${seriesName(pair.against)}: ${parts.join('; ')}.`];
}

/** The pairs that no point decides. */
export function undecidedPairs(
  points: readonly SweepPoint[],
  pairs: readonly SeriesPair[],
): SeriesPair[] {
  return pairs.filter((pair) => {
    const judged = judgedPoints(points, pair);
    return judged.length > 0 && judged.every(({ direction }) => direction === 'undecided');
  });
}

/** `DCB against Brotli; Zstandard against Brotli`. */
export function pairNames(pairs: readonly SeriesPair[]): string {
  return pairs
    .map(({ of, against }) => `${seriesName(of)} against ${seriesName(against)}`)
    .join('; ');
}

/** The points where the flag is true, neighbouring delays combined: `on the control and at 0 to 2 ms, 5 ms`. */
export function placesWhere(points: readonly SweepPoint[], is: readonly boolean[]): string {
  const ranges: SweepPoint[][] = [];
  let isOnControl = false;
  for (const [index, point] of points.entries()) {
    if (!is[index]) continue;
    if (point.storage === 'none') isOnControl = true;
    else if (is[index - 1] && ranges.length > 0) ranges.at(-1)?.push(point);
    else ranges.push([point]);
  }
  const slow = ranges.length > 0 ? [`at ${ranges.map(rangeText).join(', ')}`] : [];
  return [...(isOnControl ? ['on the control'] : []), ...slow].join(' and ');
}

/** `3 ms`, `1 to 10 ms`: neighbouring delays of one verdict. */
function rangeText(points: readonly SweepPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  const begin = first === last ? '' : `${digits(first?.requestedDelayMs ?? null)} to `;
  return `${begin}${milliseconds(last?.requestedDelayMs ?? null)}`;
}
