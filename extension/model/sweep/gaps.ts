import { cellKey } from '../run/sample.ts';
import { type Comparison, compareFamily } from '../statistics/comparison.ts';
import { scopeOf } from '../statistics/launch-scope.ts';
import type { Reading } from '../statistics/readings.ts';
import { levelAtStop } from '../statistics/stop-rule.ts';
import { confidenceAt, defaultAlpha, judge } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import { cellAt, type CellReads, type Place } from './reads.ts';
import type { Gap } from './result.ts';
import { marginOf, type SweepRun } from './run.ts';
import { pairsOf, type Series, seriesName } from './series.ts';

/**
 * Number of resamples for the many gaps of a sweep: the ends of an interval then move by about 1/60 of its width from
 * seed to seed.
 */
const resamples = 4000;

/** Tests every pair of series at every point, all gaps of a run as one family. Returns one list of gaps per point. */
export function gapsOf(
  run: SweepRun,
  inconclusive: string | null,
  places: readonly Place[],
  cells: ReadonlyMap<string, CellReads>,
  random: () => number,
): Gap[][] {
  const options = { ...verdictOptions(run), inconclusive };
  const readingsAt = (place: Place, series: Series): Reading[] =>
    cells.get(cellKey(cellAt(place, series)))?.readings() ?? [];
  const asked = places.flatMap((place, index) =>
    pairsOf(run.plan).map((pair) => {
      return {
        index,
        pair,
        names: { of: seriesName(pair.of), against: seriesName(pair.against) },
        // Read twice, in place of held: the readings of all pairs of a large run would not fit into memory.
        scope: scopeOf(readingsAt(place, pair.of), readingsAt(place, pair.against)),
        get of() {
          return readingsAt(place, pair.of);
        },
        get against() {
          return readingsAt(place, pair.against);
        },
      };
    }),
  );
  const confidence = confidenceAt(options.alpha);
  const comparisons = compareFamily(asked, { random, resamples, confidence });
  const verdicts = judge(comparisons, options);
  const gaps = asked.flatMap(({ index, pair, names }, order) => {
    const [comparison, verdict] = [comparisons[order], verdicts[order]];
    if (!comparison || !verdict) return [];
    const sentence = verdictSentence(comparison, verdict, names, readTimes);
    return [{ index, gap: { ...pair, ...figuresOf(comparison), verdict, sentence } }];
  });
  return places.map((_, at) => gaps.filter(({ index }) => index === at).map(({ gap }) => gap));
}

/** Significance level for the verdicts of a run: the share of 5 % that its interim looks left. */
export function alphaLeft({ stopped, looks = [] }: SweepRun): number {
  // A run that was cut off after interim looks has spent the same level as one that ran out of time.
  const end = stopped ?? (looks.length > 0 ? { reason: 'max time' as const, looks } : undefined);
  return end ? levelAtStop(end.reason, end.looks) : defaultAlpha;
}

function verdictOptions(run: SweepRun) {
  return { better: 'lower' as const, alpha: alphaLeft(run), margin: marginOf(run.plan) };
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
