import { differsInSeveral, type VariedSettings, variantDifferences } from './differences.ts';
import { type Effect, effectsBetween } from './effect.ts';
import type { ObservedCache } from './evidence.ts';

/** Two variants of a run that are compared. */
export interface VariantPair {
  of: string | undefined;
  against: string | undefined;
  /** What the two differ in, by name. */
  differences: string[];
  /** Whether the presets that they differ in were in effect. */
  effects: Effect[];
  /** Why the pair has no verdict, as a clause; null: it differs in one thing, which is shown to be in effect. */
  inconclusive: string | null;
}

/** @param cachesOf What the browsers of a variant left; empty: the run did not look. */
export function variantPair(
  plan: VariedSettings,
  { of, against }: { of: string | undefined; against: string | undefined },
  cachesOf: (variant: string | undefined) => readonly ObservedCache[],
): VariantPair {
  const side = (name: string | undefined) => {
    const variant = plan.variants?.find((each) => each.name === name);
    return { settings: { ...plan.settings, ...variant }, caches: cachesOf(name) };
  };
  const differences = variantDifferences(plan, against, of);
  // Either side may have the preset.
  const effects = [
    ...effectsBetween(side(of), side(against)),
    ...effectsBetween(side(against), side(of)),
  ];
  const missing = effects.filter(({ isShown }) => !isShown).map(({ text }) => text);
  const reasons = [differsInSeveral(differences) ?? [], missing].flat();
  const inconclusive = reasons.length === 0 ? null : reasons.join(', and ');
  return { of, against, differences, effects, inconclusive };
}

/** `wal differs from sql in SqlDiskCacheWalMode; sql-wal was in effect (3 of 3 databases with a write-ahead log).` */
export function variantPairSentence({ of, against, differences, effects }: VariantPair): string {
  const differ = differences.length === 0 ? 'no setting' : differences.join(', ');
  return `${of} differs from ${against} in ${differ}${effects.map(({ text }) => `; ${text}`).join('')}.`;
}

/** A sentence for each pair without a verdict. */
export function withheldWarnings(pairs: readonly VariantPair[]): string[] {
  return pairs.flatMap(({ of, against, inconclusive }) =>
    inconclusive === null ? [] : [`${of} against ${against} gets no verdict: ${inconclusive}.`],
  );
}
