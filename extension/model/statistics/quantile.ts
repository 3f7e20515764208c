import { medianSorted, quantileSorted } from 'simple-statistics';

/**
 * The values in rising order; null when there are none or one of them is not a finite number. Every statistic of this
 * folder starts here or asks `areFinite`, so that NaN never becomes a plausible figure.
 */
export function sortedFinite(values: readonly number[]): number[] | null {
  if (values.length === 0 || !areFinite(values)) return null;
  return Array.from(Float64Array.from(values).toSorted());
}

/** True when every value is a number other than NaN and the infinities. True of no values at all. */
export function areFinite(values: readonly number[]): boolean {
  return values.every(Number.isFinite);
}

/**
 * The value below which the share `p` (0 to 1) of the values lies, in their unit, by linear interpolation (Hyndman and Fan
 * 1996, definition 7: that of NumPy, R and spreadsheets). null without values, with one that is not finite, or with a
 * `p` outside 0 to 1.
 */
export function quantile(values: readonly number[], p: number): number | null {
  const sorted = sortedFinite(values);
  return sorted === null || !(p >= 0 && p <= 1) ? null : quantileSorted(sorted, p);
}

/** The middle value, or the mean of the two middle ones. null without values or with one that is not finite. */
export function median(values: readonly number[]): number | null {
  const sorted = sortedFinite(values);
  return sorted === null ? null : medianSorted(sorted);
}
