import { digits, percent } from '../quantity.ts';
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
  const [first, ...others] = medians;
  const shared = [...(first ?? [])].filter(([key]) => others.every((each) => each.has(key)));
  const cells = shared.map(([key, { factors }]) => ({
    place: placeOf({ factors }),
    medians: medians.map((each) => each.get(key)?.middle ?? 0),
  }));
  // A count of 0 has no logarithm and no relative change: such a cell is shown and excluded from the search.
  const judged = cells.filter((cell) => cell.medians.every((value) => value > 0));
  const points = runs.map((_, place) => judged.map((cell) => Math.log(cell.medians[place] ?? 1)));
  return {
    baseline,
    runs: runs.map(({ startedAt, side }) => ({ startedAt, about: side.about })),
    cells,
    changePoints: changePoints(points),
  };
}

/** Results of the trend, in sentences. */
export function trendSentences({ runs, cells, changePoints: found }: Trend): string[] {
  if (runs.length < fewestForChange)
    return [
      `${runs.length} runs: change points need at least ${fewestForChange} runs; with fewer a change cannot be distinguished from chance.`,
    ];
  if (found.length === 0) return [`No change point in ${runs.length} runs.`];
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
