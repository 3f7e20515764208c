import { type Coding, codingLabels, dictionaryCodings } from '../coding.ts';
import type { Cell } from '../run/sample.ts';
import type { Variant } from '../run/variant.ts';
import { baselineOf } from '../features/differences.ts';
import { isRecompressed, recompressed } from './recompressed.ts';
import type { SweepPlan } from './run.ts';

/**
 * The unit that is compared over the delays of a sweep: an arm, of one workload and in one variant where the run has
 * several.
 */
export interface Series {
  arm: Coding;
  /** Name of the variant; absent in a run without variants. */
  variant?: string | undefined;
  /** Name of the workload; absent in a run of a single workload. */
  workload?: string | undefined;
}

type VariantPlan = Pick<SweepPlan, 'variants' | 'recompress'>;
type SeriesPlan = Pick<SweepPlan, 'arms' | 'workloads' | 'settings'> & VariantPlan;

/** The variants of a plan. undefined: the unchanged browser, in a plan that compares no variants. */
export function variantsOf({ variants, recompress }: VariantPlan): (Variant | undefined)[] {
  return variants ?? [undefined, ...(recompress ? [recompressed] : [])];
}

/** Every series of a plan, ordered by variant, then by workload, then by arm. */
export function seriesOf({ arms, workloads, ...plan }: SeriesPlan): Series[] {
  const resources = workloads?.map(({ name, arms: own = arms }) => ({ workload: name, own }));
  return variantsOf(plan).flatMap((variant) =>
    (resources ?? [{ own: arms }]).flatMap(({ own, ...resource }) =>
      armsIn(own, variant).map((arm) => ({
        arm,
        ...resource,
        ...(variant && { variant: variant.name }),
      })),
    ),
  );
}

/** The arms of a workload in a variant: only dictionary-compressed responses are recompressed. */
export function armsIn(arms: readonly Coding[], variant: Variant | undefined): readonly Coding[] {
  return variant === recompressed ? arms.filter((arm) => dictionaryCodings.includes(arm)) : arms;
}

/** True when both are the same arm of the same workload and variant. */
export function isSameSeries(one: Series, other: Series): boolean {
  return one.arm === other.arm && one.variant === other.variant && one.workload === other.workload;
}

/** Name of a series for people: `DCB`, `DCB recompressed`, `DCB (synthetic:10KiB)` or `DCB (disk-cache=sql)`. */
export function seriesName(series: Series): string {
  const side = sideName(series);
  return side === undefined ? armLabel(series) : `${armLabel(series)} (${side})`;
}

/** The name of a series' arm: `DCB`, `DCB recompressed`. */
export function armLabel(series: Series): string {
  const label = codingLabels[series.arm];
  return isRecompressed(series) ? `${label} recompressed` : label;
}

/**
 * The name of a series without its arm: `synthetic:10KiB`, `disk-cache=sql`, or both. undefined in a run with one of
 * each.
 */
export function sideName({ variant, workload }: Omit<Series, 'arm'>): string | undefined {
  const own = isRecompressed({ variant }) ? undefined : variant;
  const names = [workload, own].filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(', ');
}

/** The series of a cell. */
export function seriesAt({ arm, variant, workload }: Cell): Series {
  return {
    arm,
    ...(variant !== undefined && { variant }),
    ...(workload !== undefined && { workload }),
  };
}

/** The arm that the others are compared with: Brotli, or the first arm of a plan without it. */
export function baselineArm({ arms }: Pick<SweepPlan, 'arms'>): Coding | undefined {
  return arms.includes('br') ? 'br' : arms[0];
}

/** Two series whose difference a sweep tests. */
export interface SeriesPair {
  /**
   * `arms`: two arms of one variant, which share their launches, or an arm and a recompressed one; `variants`: one arm
   * in two variants.
   */
  between: 'arms' | 'variants';
  of: Series;
  against: Series;
}

/**
 * The question that a pair answers, as text: two arms, or two variants, over all delays, workloads and the other factor.
 * Its comparisons are judged as one family.
 */
export function questionOf({ between, of, against }: SeriesPair): string {
  const name = (series: Series): string =>
    between === 'arms' ? armLabel(series) : (series.variant ?? '');
  return `${name(of)} against ${name(against)}`;
}

/**
 * The pairs that a sweep compares at each point: every arm with the baseline arm, every variant with the one that differs
 * from it in one thing, and each recompressed series with the same arm in the unchanged browser and with the baseline
 * arm. Workloads have different bytes and are not compared.
 */
export function pairsOf(plan: SeriesPlan): SeriesPair[] {
  const all = seriesOf(plan);
  const baseline = baselineArm(plan);
  return all.flatMap((of) => {
    const pairs: SeriesPair[] = [];
    if (isRecompressed(of) && plan.recompress) return pairsOfRecompressed(of, all, baseline);
    const base = baseline === undefined ? of : { ...of, arm: baseline };
    if (of.arm !== base.arm && all.some((series) => isSameSeries(series, base)))
      pairs.push({ between: 'arms', of, against: base });
    const variant = of.variant === undefined ? undefined : baselineOf(plan, of.variant);
    if (variant) pairs.push({ between: 'variants', of, against: { ...of, variant: variant.name } });
    return pairs;
  });
}

function pairsOfRecompressed(
  of: Series,
  all: readonly Series[],
  baseline: Coding | undefined,
): SeriesPair[] {
  const { variant: _, ...stock } = of;
  const arms = new Set([stock.arm, baseline ?? stock.arm]);
  return [...arms]
    .map((arm) => ({ ...stock, arm }))
    .filter((against) => all.some((series) => isSameSeries(series, against)))
    .map((against) => ({ between: 'arms', of, against }));
}
