import { median as medianOf, quantile as quantileOf } from 'simple-statistics';

/** The middle of `values`; null when there are none, because an unknown median is not 0. */
export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : medianOf([...values]);
}

/** The value below which the share `p` (0 to 1) of `values` lies; null when there are none. */
export function quantile(values: readonly number[], p: number): number | null {
  return values.length === 0 ? null : quantileOf([...values], p);
}
