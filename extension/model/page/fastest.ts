import type { Verdict } from '../statistics/verdict.ts';

/** A judged comparison of two of some names, by time: greater is slower. */
export interface Pairing {
  of: string;
  against: string;
  verdict: Pick<Verdict, 'outcome' | 'direction'>;
}

/**
 * The names that no verdict shows to be slower than another one; `undecided` where no verdict separates any, `the same`
 * where all are. Names that were not compared are left out.
 */
export function fastestOf(names: readonly string[], pairings: readonly Pairing[]): string {
  const compared = names.filter((name) =>
    pairings.some(({ of, against }) => of === name || against === name),
  );
  if (compared.length === 0) return '';
  const slower = new Set(
    pairings.flatMap(({ of, against, verdict: { direction } }) =>
      direction === null ? [] : [direction === 'greater' ? of : against],
    ),
  );
  if (slower.size === 0)
    return pairings.every(({ verdict }) => verdict.outcome === 'SAME') ? 'the same' : 'undecided';
  return compared.filter((name) => !slower.has(name)).join(', ') || 'undecided';
}
