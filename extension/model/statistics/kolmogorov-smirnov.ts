import { areFinite } from './quantile.ts';

/** The two-sample Kolmogorov-Smirnov test: do both groups have the same distribution, in location, spread and shape? */
export interface KolmogorovSmirnov {
  /** Largest distance between the two cumulative distribution functions, 0 to 1. */
  d: number;
  /**
   * Two-sided p-value. `exact` counts all permutations of the values, ties included; `asymptotic` is an approximation.
   */
  p: number;
  method: 'exact' | 'asymptotic';
}

/** Up to this many pairs, all permutations are counted, with one step per pair. */
const mostPairsForExact = 1_000_000;

/**
 * Smirnov (1939). null when a group is empty or has a value that is not finite. Exact p-values below 1e-15 are returned
 * as 0.
 */
export function kolmogorovSmirnov(
  first: readonly number[],
  second: readonly number[],
): KolmogorovSmirnov | null {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0 || !areFinite(first) || !areFinite(second)) return null;
  const { furthest, ends } = walk(first, second);
  const d = furthest / (n * m);
  return n * m <= mostPairsForExact
    ? { d, p: exactP(furthest, n, m, ends), method: 'exact' }
    : { d, p: asymptoticP(d, n, m), method: 'asymptotic' };
}

interface Walk {
  /** The largest distance times n m: an integer, so that equal distances compare as equal. */
  furthest: number;
  /**
   * ends[k] is 1 when the k smallest values end with a complete group of ties: only there are the distributions
   * compared.
   */
  ends: Uint8Array;
}

function walk(first: readonly number[], second: readonly number[]): Walk {
  const a = Float64Array.from(first).toSorted();
  const b = Float64Array.from(second).toSorted();
  const ends = new Uint8Array(a.length + b.length + 1);
  let [i, j, furthest] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    ends[i + j] = 1;
    furthest = Math.max(furthest, Math.abs(i * b.length - j * a.length));
  }
  return { furthest, ends };
}

/**
 * Share of all permutations of the values that reach the distance: the paths through the n by m lattice that touch a
 * point at least as far from its diagonal (Hodges 1957; with ties Schröer and Trenkler 1995). Computed as shares, so
 * that nothing overflows.
 */
function exactP(furthest: number, n: number, m: number, ends: Uint8Array): number {
  if (furthest === 0) return 1;
  const within = new Float64Array(m + 1);
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= m; j++) {
      const here = i + j;
      const fromLeft = i > 0 ? (within[j] ?? 0) * (i / here) : 0;
      const fromBelow = j > 0 ? (within[j - 1] ?? 0) * (j / here) : 0;
      const share = here === 0 ? 1 : fromLeft + fromBelow;
      within[j] = ends[here] === 1 && Math.abs(i * m - j * n) >= furthest ? 0 : share;
    }
  }
  return Math.min(1, Math.max(0, 1 - (within[m] ?? 0)));
}

/** Kolmogorov's series, with the small-sample term of Stephens (1970). */
function asymptoticP(d: number, n: number, m: number): number {
  const root = Math.sqrt((n * m) / (n + m));
  const lambda = (root + 0.12 + 0.11 / root) * d;
  if (lambda < 0.2) return 1;
  let total = 0;
  for (let term = 1; term <= 100; term++) {
    const part = Math.exp(-2 * (term * lambda) ** 2);
    total += term % 2 === 1 ? part : -part;
    if (part < 1e-17) break;
  }
  return Math.min(1, Math.max(0, 2 * total));
}
