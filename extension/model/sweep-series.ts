import { type Coding, codingLabels } from './coding.ts';
import type { Cell } from './sample.ts';
import type { SweepPlan } from './sweep-run.ts';

/** What is followed over the delays of a sweep: an arm, in one variant where the run has variants. */
export interface Series {
  arm: Coding;
  /** Name of the variant; absent in a run without variants. */
  variant?: string | undefined;
}

/** Every series of a plan: its variants in order, and within each its arms. */
export function seriesOf({ arms, variants }: Pick<SweepPlan, 'arms' | 'variants'>): Series[] {
  if (!variants) return arms.map((arm) => ({ arm }));
  return variants.flatMap(({ name }) => arms.map((arm) => ({ arm, variant: name })));
}

/** True when both are the same arm of the same variant. */
export function isSameSeries(one: Series, other: Series): boolean {
  return one.arm === other.arm && one.variant === other.variant;
}

/** The name a reader knows a series by: `DCB`, or `DCB (disk-cache=sql)`. */
export function seriesName({ arm, variant }: Series): string {
  return variant === undefined ? codingLabels[arm] : `${codingLabels[arm]} (${variant})`;
}

/** The series of a cell. */
export function seriesAt({ arm, variant }: Cell): Series {
  return { arm, ...(variant !== undefined && { variant }) };
}

/** The arm that the others are held against: Brotli, or the first of a plan without it. */
export function baselineArm({ arms }: Pick<SweepPlan, 'arms'>): Coding | undefined {
  return arms.includes('br') ? 'br' : arms[0];
}

/** Two series whose difference a sweep judges. */
export interface SeriesPair {
  /** Two arms of one variant, which share their launches; or one arm in two variants. */
  between: 'arms' | 'variants';
  of: Series;
  against: Series;
}

/** What a sweep compares at each point: every arm with the baseline arm, and every variant with the first. */
export function pairsOf(plan: Pick<SweepPlan, 'arms' | 'variants'>): SeriesPair[] {
  const arm = baselineArm(plan);
  const variant = plan.variants?.[0]?.name;
  return seriesOf(plan).flatMap((of) => {
    const pairs: SeriesPair[] = [];
    if (arm !== undefined && of.arm !== arm)
      pairs.push({ between: 'arms', of, against: { ...of, arm } });
    if (variant !== undefined && of.variant !== variant)
      pairs.push({ between: 'variants', of, against: { ...of, variant } });
    return pairs;
  });
}
