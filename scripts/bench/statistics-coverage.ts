import { compare } from '@cachescope/model/statistics/comparison.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { coverage, independent, laws, row, trials } from './statistics-simulation.ts';

/** Coverage of the intervals where each launch takes one reading. */
export function measureSingleReadings(): void {
  const sizes = [3, 5, 10, 20, 50];
  console.log(
    `\nCoverage of 95 % intervals with one reading in each launch, % of ${trials} trials (goal: 95 +- 1), launches ${sizes.join(', ')}`,
  );
  for (const [name, law] of Object.entries(laws)) {
    row(`level; ${name}`, sizes, (size) =>
      coverage(() => medianInterval(independent(size, law)).interval, law.level),
    );
    row(`gap, launches of their own; ${name}`, sizes, (size) =>
      coverage(() => compare(independent(size, law), independent(size, law)).differenceInterval, 0),
    );
  }
}
