import { cellKey, type Sample, usable } from './sample.ts';
import { type Comparison, compare } from './statistics/comparison.ts';
import { scopeOf } from './statistics/launch-scope.ts';
import type { Reading } from './statistics/readings.ts';
import { levelAtStop } from './statistics/stop-rule.ts';
import { defaultAlpha, judge, type VerdictOptions } from './statistics/verdict.ts';
import { readTimes, verdictSentence } from './statistics/verdict-sentence.ts';
import type { Gap, SweepPoint } from './sweep-result.ts';
import type { SweepRun } from './sweep-run.ts';
import { pairsOf, type Series, type SeriesPair, seriesName } from './sweep-series.ts';

/** A sweep has many gaps: with as many resamples the ends of an interval move by a sixtieth of its width. */
const resamples = 4000;

/** The readings that statistics may use, of each cell, by its key. */
export function readingsByCell(samples: readonly Sample[]): ReadonlyMap<string, Reading[]> {
  const cells = new Map<string, Reading[]>();
  for (const { cell, readMs, launch } of usable(samples)) {
    const key = cellKey(cell);
    const readings = cells.get(key);
    if (readings) readings.push({ value: readMs, launch });
    else cells.set(key, [{ value: readMs, launch }]);
  }
  return cells;
}

type Place = Pick<SweepPoint, 'storage' | 'requestedDelayMs'>;

/** Judges every pair of series at every point, each pair's points together: one list of gaps a point. */
export function gapsOf(
  run: SweepRun,
  places: readonly Place[],
  cells: ReadonlyMap<string, Reading[]>,
  random: () => number,
): Gap[][] {
  const gaps = pairsOf(run.plan).map((pair) => pairGaps(run, pair, places, cells, random));
  return places.map((_, index) =>
    gaps.flatMap((ofPair) => {
      const gap = ofPair[index];
      return gap ? [gap] : [];
    }),
  );
}

function pairGaps(
  run: SweepRun,
  pair: SeriesPair,
  places: readonly Place[],
  cells: ReadonlyMap<string, Reading[]>,
  random: () => number,
): Gap[] {
  const options = verdictOptions(run);
  const readingsAt = (place: Place, series: Series): Reading[] =>
    cells.get(cellKey({ ...series, storage: place.storage, delayMs: place.requestedDelayMs })) ??
    [];
  const names = namesOf(pair);
  const comparisons = places.map((place) => {
    const [of, against] = [readingsAt(place, pair.of), readingsAt(place, pair.against)];
    const scope = scopeOf(of, against);
    const confidence = 1 - 2 * Math.min(options.alpha, defaultAlpha / 2);
    return compare(of, against, { random, resamples, scope, confidence }, names);
  });
  const verdicts = judge(comparisons, options);
  return comparisons.flatMap((comparison, index) => {
    const verdict = verdicts[index];
    if (!verdict) return [];
    const sentence = verdictSentence(comparison, verdict, names, readTimes);
    return [{ ...pair, ...figuresOf(comparison), verdict, sentence }];
  });
}

/** Readings that were looked at on the way are judged at the level that the looks left. */
function verdictOptions({
  plan,
  stopped,
  looks = [],
}: SweepRun): VerdictOptions & { alpha: number } {
  // A run that was cut off after looks has spent as much as one that ran out of time.
  const end = stopped ?? (looks.length > 0 ? { reason: 'max time' as const, looks } : undefined);
  const alpha = end ? levelAtStop(end.reason, end.looks) : defaultAlpha;
  return { better: 'lower', alpha, ...(plan.stopRule && { margin: plan.stopRule.margin }) };
}

function namesOf({ of, against }: SeriesPair): { of: string; against: string } {
  return { of: seriesName(of), against: seriesName(against) };
}

function figuresOf(comparison: Comparison) {
  const { difference, differenceInterval, relative, relativeInterval } = comparison;
  return {
    ms: difference,
    lowMs: differenceInterval?.low ?? null,
    highMs: differenceInterval?.high ?? null,
    relative,
    relativeLow: relativeInterval?.low ?? null,
    relativeHigh: relativeInterval?.high ?? null,
    confidence: comparison.confidence,
    scope: comparison.scope,
  };
}
