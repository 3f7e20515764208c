import { mean, sampleVariance } from 'simple-statistics';

/** Reads of both groups in one launch, as logarithms. */
export interface PairedLaunch {
  of: readonly number[];
  against: readonly number[];
}

/**
 * Variances of an effect (difference of mean logarithms) by their source: machine, launch on a machine, and read in a
 * launch (one read of each group). The mean of `k` machines with `l` launches of `n` reads has the variance
 * `(machine + (launch + read / n) / l) / k`.
 */
export interface VarianceComponents {
  machine: number;
  launch: number;
  read: number;
}

/**
 * Estimates the components by the method of moments with unweighted means, which is the analysis of variance where the
 * design is balanced (Searle, Casella and McCulloch, "Variance Components", 1992, chapters 3 to 5). Negative estimates
 * become 0. null: a source cannot be separated, with fewer than two machines, two launches on a machine, or two reads of
 * each group in a launch.
 */
export function nestedVariance(
  machines: readonly (readonly PairedLaunch[])[],
): VarianceComponents | null {
  const launches = machines.flat();
  const of = pooledVariance(launches.map((launch) => launch.of));
  const against = pooledVariance(launches.map((launch) => launch.against));
  if (machines.length < 2 || of === null || against === null) return null;
  /** Part of the variance of a launch's effect that its reads explain. */
  const byReads = (launch: PairedLaunch): number =>
    of / launch.of.length + against / launch.against.length;
  const own = machines.map((each) => ({
    effects: each.map((launch) => mean([...launch.of]) - mean([...launch.against])),
    byReads: mean(each.map(byReads)),
  }));
  const freedom = own.reduce((sum, { effects }) => sum + effects.length - 1, 0);
  if (freedom === 0) return null;
  const launchSum = own.reduce(
    (sum, { effects, byReads: explained }) =>
      sum + squaresOf(effects) - (effects.length - 1) * explained,
    0,
  );
  const launch = Math.max(0, launchSum / freedom);
  const explained = own.map(({ effects, byReads: read }) => (launch + read) / effects.length);
  const between = sampleVariance(own.map(({ effects }) => mean(effects)));
  return { machine: Math.max(0, between - mean(explained)), launch, read: of + against };
}

/** Variance within groups, over all groups; null when none has two values. */
function pooledVariance(groups: readonly (readonly number[])[]): number | null {
  const freedom = groups.reduce((sum, { length }) => sum + length - 1, 0);
  if (freedom === 0) return null;
  return groups.reduce((sum, group) => sum + squaresOf(group), 0) / freedom;
}

/** Sum of the squared deviations from the mean. */
function squaresOf(values: readonly number[]): number {
  const centre = mean([...values]);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
