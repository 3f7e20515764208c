/**
 * Of all pairs of an evicted and a kept entry, the share in which the evicted one has the smaller value (an earlier time,
 * an earlier place); ties count half. This is the area under the curve of Mann and Whitney's U. 1: the evicted entries
 * are exactly those with the smallest values; 0.5: the value is unrelated. null when either list is empty.
 */
export function earlierShare(went: readonly number[], stayed: readonly number[]): number | null {
  if (went.length === 0 || stayed.length === 0) return null;
  const left = Float64Array.from(went).toSorted();
  const right = Float64Array.from(stayed).toSorted();
  let [below, upTo, doubled] = [0, 0, 0];
  for (const value of right) {
    while (below < left.length && (left[below] ?? 0) < value) below++;
    upTo = Math.max(upTo, below);
    while (upTo < left.length && (left[upTo] ?? 0) <= value) upTo++;
    doubled += below + upTo;
  }
  return doubled / (2 * left.length * right.length);
}
