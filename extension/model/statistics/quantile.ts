import { quantileSorted } from 'simple-statistics';

/**
 * The values in rising order; null without values or with a value that is not a finite number. Every statistic of this
 * directory uses it or `areFinite`, so that NaN never becomes a plausible result.
 */
export function sortedFinite(values: readonly number[]): number[] | null {
  if (values.length === 0 || !areFinite(values)) return null;
  return Array.from(Float64Array.from(values).toSorted());
}

/** True when every value is finite; also true without values. */
export function areFinite(values: readonly number[]): boolean {
  return values.every(Number.isFinite);
}

/**
 * The quantile `p` (0 to 1) of the values, in their unit, by linear interpolation (Hyndman and Fan 1996, definition 7:
 * the default of NumPy, R and spreadsheets). null without values, with a value that is not finite, or with a `p`
 * outside 0 to 1.
 */
export function quantile(values: readonly number[], p: number): number | null {
  const sorted = sortedFinite(values);
  return sorted === null || !(p >= 0 && p <= 1) ? null : quantileSorted(sorted, p);
}

/** The median. null without values or with a value that is not finite. */
export function median(values: ArrayLike<number>): number | null {
  // One copy, sorted in its place: a large run has millions of values.
  const sorted = new Float64Array(values);
  sorted.sort();
  const ends = [sorted[0], sorted.at(-1)];
  // NaN is sorted to the end.
  if (!ends.every(Number.isFinite)) return null;
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  const high = sorted[Math.ceil(middle)] ?? Number.NaN;
  return low + (high - low) / 2;
}
