import type { Launches } from './design.ts';
import { mannWhitney } from './mann-whitney.ts';
import { normalTwoSided } from './normal.ts';

/**
 * Two-sided p-value of van Elteren's test (1960): Mann-Whitney within each launch, summed with the weights 1 /
 * (readings + 1), which favour no launch, so that launch effects on both groups cancel. With one launch it is the
 * Mann-Whitney test. null without launches, with an empty launch, or with a value that is not finite.
 */
export function vanElteren(of: Launches, against: Launches): number | null {
  const tests = of.map((values, launch) => mannWhitney(values, against[launch] ?? []));
  const [only] = tests;
  if (tests.length < 2) return only?.p ?? null;
  let [distance, variance] = [0, 0];
  for (const [launch, test] of tests.entries()) {
    if (test === null) return null;
    const [n, m] = [of[launch]?.length ?? 0, against[launch]?.length ?? 0];
    const weight = 1 / (n + m + 1);
    distance += weight * (test.u - (n * m) / 2);
    variance += weight ** 2 * test.variance;
  }
  return variance > 0 ? normalTwoSided(distance / Math.sqrt(variance)) : 1;
}
