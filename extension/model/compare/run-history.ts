import { counted, digits, percent } from '../quantity.ts';
import { changePoints, fewestForChange } from './change-points.ts';
import { median } from '../statistics/quantile.ts';
import { factorsText } from './group.ts';
import { placeOf } from './summary.ts';
import type { CompareSide } from './side.ts';
import type { Trend } from './trend.ts';

/** A run of the trend, loaded. */
export interface TrendRun {
  startedAt: string;
  side: CompareSide;
}

/**
 * The trend over runs in the order of their start. One change-point search covers all cells, on logarithms, so that
 * relative changes count.
 */
export function trendOf(baseline: string, runs: readonly TrendRun[]): Trend {
  const medians = runs.map(
    ({ side }) =>
      new Map(
        side.groups.flatMap(({ factors, readings }) => {
          const middle = median(readings.map(({ value }) => value));
          return middle === null ? [] : [[factorsText(factors), { factors, middle }] as const];
        }),
      ),
  );
  const all = [...new Map(medians.flatMap((each) => [...each]))];
  const isShared = ([key]: (typeof all)[number]) => medians.every((each) => each.has(key));
  const cells = all.filter(isShared).map(([key, { factors }]) => ({
    place: placeOf({ factors }),
    medians: medians.map((each) => each.get(key)?.middle ?? 0),
  }));
  const judged = cells.filter(isJudged);
  const points = runs.map((_, place) => judged.map((cell) => Math.log(cell.medians[place] ?? 1)));
  return {
    baseline,
    runs: runs.map(({ startedAt, side }) => ({ startedAt, about: side.about })),
    cells,
    missing: all.filter((cell) => !isShared(cell)).map(([, { factors }]) => placeOf({ factors })),
    changePoints: changePoints(points),
  };
}

/** A count of 0 has no logarithm and no relative change: such a cell is shown and excluded from the search. */
function isJudged({ medians }: Trend['cells'][number]): boolean {
  return medians.every((value) => value > 0);
}

/** Results of the trend, in sentences. */
export function trendSentences(trend: Trend): string[] {
  const { runs, cells } = trend;
  if (runs.length < fewestForChange)
    return [
      `${runs.length} runs: change points need at least ${fewestForChange} runs; with fewer a change cannot be distinguished from chance.`,
    ];
  const excluded = excludedSentences(trend);
  if (!cells.some(isJudged))
    return [
      `No change point was searched for: no cell has a median above 0 in each of the ${runs.length} runs.`,
      ...excluded,
    ];
  const found = changeSentences(trend);
  return [...(found.length > 0 ? found : [`No change point in ${runs.length} runs.`]), ...excluded];
}

/** The cells in which a change would not be found. */
function excludedSentences({ cells, missing = [] }: Trend): string[] {
  const zero = cells.filter((cell) => !isJudged(cell)).map(({ place }) => place);
  const reasons = [
    ['with a median of 0 in some run', zero] as const,
    ['that not every run has', missing] as const,
  ].filter(([, places]) => places.length > 0);
  if (reasons.length === 0) return [];
  const texts = reasons.map(
    ([reason, places]) => `${counted(places.length, 'cell')} ${reason} (${places.join('; ')})`,
  );
  return [`Excluded from the search for change points: ${texts.join(', ')}.`];
}

function changeSentences({ runs, cells, changePoints: found }: Trend): string[] {
  return found.map(({ at, p }, index) => {
    const [from, to] = [found[index - 1]?.at ?? 0, found[index + 1]?.at ?? runs.length];
    const moved = cells
      .map(({ place, medians }) => {
        const before = median(medians.slice(from, at)) ?? 0;
        const behind = median(medians.slice(at, to)) ?? 0;
        return { place, before, behind, share: behind === before ? 0 : behind / before - 1 };
      })
      .toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share))
      .slice(0, 3)
      .map(
        ({ place, before, behind, share }) =>
          `${place} from ${digits(before)} to ${digits(behind)}${Number.isFinite(share) ? ` (${share > 0 ? '+' : ''}${percent(share)})` : ''}`,
      );
    return `Change point at the run of ${startText(runs[at]?.startedAt ?? '')} (p = ${digits(p)}): ${moved.join('; ')}.`;
  });
}

/** `2026-11-20 23:00` UTC. */
export function startText(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}
