import { cellKey } from '../run/sample.ts';
import { type Comparison, defaultAlpha } from '../statistics/comparison.ts';
import type { Reading } from '../statistics/readings.ts';
import { levelAtStop } from '../statistics/stop-rule.ts';
import { judgedFamilies } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import { cellAt, type CellReads, type Place } from './reads.ts';
import type { Gap } from './result.ts';
import { marginOf, type SweepRun } from './run.ts';
import { pairsOf, questionOf, type Series, type SeriesPair, seriesName } from './series.ts';
import { variantPairsOf } from './variant-pairs.ts';

/**
 * Tests every pair of series at every point. The gaps of one question, such as DCB against Brotli at all delays, are one
 * family: `compare` on two arms of the run judges the same one. Returns one list of gaps per point.
 */
export function gapsOf(
  run: SweepRun,
  inconclusive: string | null,
  places: readonly Place[],
  cells: ReadonlyMap<string, CellReads>,
): Gap[][] {
  const readingsAt = (place: Place, series: Series): Reading[] =>
    cells.get(cellKey(cellAt(place, series)))?.readings() ?? [];
  const variants = variantPairsOf(run);
  const withheld = ({ between, of }: SeriesPair): string | null =>
    (between === 'variants' && variants.find((each) => each.of === of.variant)?.inconclusive) ||
    null;
  const asked = places.flatMap((place, index) =>
    pairsOf(run.plan).map((pair) => ({
      index,
      pair,
      question: questionOf(pair),
      names: { of: seriesName(pair.of), against: seriesName(pair.against) },
      inconclusive: withheld(pair),
      // Read at each use: the readings of all pairs of a large run would not fit into memory.
      get of() {
        return readingsAt(place, pair.of);
      },
      get against() {
        return readingsAt(place, pair.against);
      },
    })),
  );
  const judged = judgedFamilies(asked, {
    better: 'lower',
    alpha: alphaLeft(run),
    margin: marginOf(run.plan),
    inconclusive,
  });
  const gaps = judged.map(({ index, pair, names, comparison, verdict }) => {
    const sentence = verdictSentence(comparison, verdict, names, readTimes);
    return { index, gap: { ...pair, ...figuresOf(comparison), verdict, sentence } };
  });
  return places.map((_, at) => gaps.filter(({ index }) => index === at).map(({ gap }) => gap));
}

/** Significance level for the verdicts of a run: the share of 5 % that its interim looks left. */
export function alphaLeft({ stopped, looks = [] }: SweepRun): number {
  // A run that was cut off after interim looks has spent the same level as one that ran out of time.
  const end = stopped ?? (looks.length > 0 ? { reason: 'max time' as const, looks } : undefined);
  return end ? levelAtStop(end.reason, end.looks) : defaultAlpha;
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
    family: comparison.family,
  };
}
