import { type VariantPair, variantPair } from '../features/variant-pair.ts';
import type { ObservedCache } from '../features/evidence.ts';
import type { SweepRun } from './run.ts';
import { pairsOf } from './series.ts';

type Variants = Pick<SweepRun, 'plan' | 'places' | 'stored'>;

/** The pairs of variants that a sweep compares, each once. */
export function variantPairsOf(run: Variants): VariantPair[] {
  const pairs = pairsOf(run.plan).filter(({ between }) => between === 'variants');
  const named = new Map(pairs.map(({ of, against }) => [of.variant, against.variant]));
  return [...named].map(([of, against]) => variantPairOf(run, of, against));
}

/** Two variants of a sweep. */
export function variantPairOf(
  { plan, places = [], stored }: Variants,
  of: string | undefined,
  against: string | undefined,
): VariantPair {
  return variantPair(plan, { of, against }, (name) => cachesOf({ places, stored }, name));
}

/** What the browsers of a variant left, or those of a plan without variants; empty: the run did not look. */
export function cachesOf(
  { places = [], stored }: Pick<Variants, 'places' | 'stored'>,
  name: string | undefined,
): ObservedCache[] {
  const own = stored.filter(({ variant }) => variant === name);
  return places.flatMap(({ variant, evidence }) =>
    variant === name && evidence ? [{ ...evidence, stored: own }] : [],
  );
}
