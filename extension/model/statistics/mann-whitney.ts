import { normalTwoSided } from './normal.ts';
import { areFinite } from './quantile.ts';

/** The Mann-Whitney U test of two independent groups: does one group tend to have greater values than the other? */
export interface MannWhitney {
  /** Number of pairs (one value of each group) in which the first group's value is greater; ties count half. */
  u: number;
  /** Variance of `u` under the null hypothesis that neither group is greater, with the correction for ties. */
  variance: number;
  /** Two-sided p-value. `exact` counts all permutations of the values, ties included; `normal` is an approximation. */
  p: number;
  method: 'exact' | 'normal';
}

/**
 * Up to this total number of values, all permutations are counted, in half a million steps at most. Beyond it the
 * normal approximation is close.
 */
const mostForExact = 40;

/**
 * Mann and Whitney (1947). The exact p-value is also valid with ties, unlike tables. The approximation has the tie
 * correction and the continuity correction, as in R and SciPy. null when a group is empty or has a value that is not
 * finite.
 */
export function mannWhitney(
  first: readonly number[],
  second: readonly number[],
): MannWhitney | null {
  if (first.length === 0 || second.length === 0) return null;
  if (!areFinite(first) || !areFinite(second)) return null;
  const { doubledRankSum, tieSizes } = rank(first, second);
  const doubledU = doubledRankSum - first.length * (first.length + 1);
  const exact = first.length + second.length <= mostForExact;
  const variance = varianceOf(first.length, second.length, tieSizes);
  const p = exact
    ? exactP(doubledRankSum, first.length, tieSizes)
    : normalP(doubledU / 2 - (first.length * second.length) / 2, variance);
  return { u: doubledU / 2, variance, p, method: exact ? 'exact' : 'normal' };
}

interface Ranks {
  /** Twice the sum of the first group's mid-ranks: an integer. */
  doubledRankSum: number;
  /** Number of tied values, for each distinct value in rising order. */
  tieSizes: number[];
}

function rank(first: readonly number[], second: readonly number[]): Ranks {
  const a = Float64Array.from(first).toSorted();
  const b = Float64Array.from(second).toSorted();
  const tieSizes: number[] = [];
  let [i, j, doubledRankSum] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
    const before = i + j;
    const own = i;
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    const size = i + j - before;
    doubledRankSum += (i - own) * (2 * before + size + 1);
    tieSizes.push(size);
  }
  return { doubledRankSum, tieSizes };
}

/**
 * Two-sided p-value: twice the share of all permutations whose rank sum is at least as extreme as the observed one on
 * its side.
 */
function exactP(doubledRankSum: number, size: number, tieSizes: readonly number[]): number {
  const sums = rankSumCounts(size, tieSizes);
  let [below, above, total] = [0, 0, 0];
  for (const [sum, count] of sums.entries()) {
    total += count;
    if (sum <= doubledRankSum) below += count;
    if (sum >= doubledRankSum) above += count;
  }
  return Math.min(1, (2 * Math.min(below, above)) / total);
}

/** Number of ways to choose `size` of the values with each doubled rank sum. */
function rankSumCounts(size: number, tieSizes: readonly number[]): Float64Array {
  const ranks: number[] = [];
  for (const tied of tieSizes) {
    const doubledMidRank = 2 * ranks.length + tied + 1;
    for (let count = 0; count < tied; count++) ranks.push(doubledMidRank);
  }
  // Ranks rise, so the greatest sum of `count` of the first `of` values is that of the last `count` of them.
  const greatest = (count: number, of: number): number =>
    ranks.slice(of - count, of).reduce((total, value) => total + value, 0);
  const width = greatest(size, ranks.length) + 1;
  const ways = Array.from({ length: size + 1 }, () => new Float64Array(width));
  ways[0]?.fill(1, 0, 1);
  for (const [seen, value] of ranks.entries()) {
    for (let count = Math.min(size, seen + 1); count > 0; count--) {
      const [own, fewer] = [ways[count], ways[count - 1]];
      const last = greatest(count - 1, seen);
      if (!own || !fewer) continue;
      for (let sum = 0; sum <= last; sum++) {
        const more = fewer[sum] ?? 0;
        if (more > 0) own[sum + value] = (own[sum + value] ?? 0) + more;
      }
    }
  }
  return ways[size] ?? new Float64Array();
}

function varianceOf(n: number, m: number, tieSizes: readonly number[]): number {
  const all = n + m;
  const ties = tieSizes.reduce((total, size) => total + (size ** 3 - size), 0);
  return all < 2 ? 0 : ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
}

function normalP(distance: number, variance: number): number {
  if (!(variance > 0)) return 1;
  return normalTwoSided(Math.max(0, Math.abs(distance) - 0.5) / Math.sqrt(variance));
}
