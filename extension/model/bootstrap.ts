import { medianSorted, quantileSorted } from 'simple-statistics';

/** A range that holds the true value in 95 of 100 repetitions of the experiment. */
export interface Interval {
  low: number;
  high: number;
}

/** Resamples behind every interval: enough that its ends move by far less than its width. */
const resamples = 2000;

/** Below this even the range from the smallest to the largest value covers the median in fewer than 93 % of cases. */
const fewestValues = 5;

/**
 * Medians of resamples drawn with replacement: the bootstrap distribution of the median (Efron and Tibshirani 1993,
 * chapter 13). `launches` holds the values of each browser launch; every launch keeps its share of each resample,
 * because values of one launch resemble each other. null with fewer than 5 values in all: too few to say.
 */
export function resampledMedians(
  launches: readonly (readonly number[])[],
  random: () => number,
): number[] | null {
  const size = launches.reduce((total, values) => total + values.length, 0);
  if (size < fewestValues) return null;
  const resample = new Float64Array(size);
  return Array.from({ length: resamples }, () => {
    let next = 0;
    for (const values of launches) {
      for (let count = 0; count < values.length; count++) resample[next++] = pick(values, random);
    }
    return medianSorted(Array.from(resample.toSorted()));
  });
}

function pick(values: readonly number[], random: () => number): number {
  return values[Math.floor(random() * values.length)] ?? Number.NaN;
}

/** The middle 95 % of a bootstrap distribution. */
export function percentileInterval(distribution: readonly number[]): Interval {
  const sorted = Array.from(Float64Array.from(distribution).toSorted());
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/** Interval of median(of) - median(against), from the distributions of two independent medians. */
export function differenceInterval(of: readonly number[], against: readonly number[]): Interval {
  return percentileInterval(of.map((value, index) => value - (against[index] ?? Number.NaN)));
}
