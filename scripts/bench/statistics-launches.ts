import { type Comparison, compare } from '@cachescope/model/statistics/comparison.ts';
import { type Interval } from '@cachescope/model/statistics/interval.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import {
  comparisonCoverage,
  normal,
  random,
  resamples,
  row,
  trials,
} from './statistics-simulation.ts';

/** Ten readings of sd 1 in each launch; launches differ by `apart` (sd), and the two groups within one by `against`. */
function inLaunches(launches: number, levels: readonly number[], first: number): Reading[] {
  return Array.from({ length: launches * 10 }, (_, index) => {
    const launch = index % launches;
    return { value: 100 + (levels[launch] ?? 0) + normal(), launch: first + launch };
  });
}

function levels(launches: number, apart: number): number[] {
  return Array.from({ length: launches }, () => apart * normal());
}

/** Each group in launches of its own. */
export function launchComparison(launches: number, apart: number): Comparison {
  const of = inLaunches(launches, levels(launches, apart), 0);
  const against = inLaunches(launches, levels(launches, apart), launches);
  return compare(of, against, { random, resamples });
}

/** Both groups in the same launches; a launch moves both alike, and the one against the other by a third of that. */
export function pairedComparison(launches: number, apart: number): Comparison {
  const level = levels(launches, apart);
  const own = level.map((value) => value + (apart / 3) * normal());
  const [of, against] = [inLaunches(launches, own, 0), inLaunches(launches, level, 0)];
  return compare(of, against, { random, resamples });
}

export function measureLaunches(): void {
  const counts = [2, 3, 5, 9, 10, 20];
  const some = trials / 5;
  console.log(
    `\nCoverage where ten readings share a launch, % of ${some} trials (goal: 94 or more), launches ${counts.join(', ')}`,
  );
  for (const apart of [0, 1, 3]) {
    const title = `launches ${apart} sd apart`;
    const rowOf = (
      name: string,
      draw: (launches: number) => Interval | null,
      truth: number,
    ): void =>
      row(
        `${name}; ${title}`,
        counts.map((launches) => comparisonCoverage(() => draw(launches), truth, some)),
      );
    rowOf('median', (launches) => medianOfLaunches(launches, apart), 100);
    rowOf('difference', (launches) => launchComparison(launches, apart).differenceInterval, 0);
    rowOf(
      'difference, paired',
      (launches) => pairedComparison(launches, apart).differenceInterval,
      0,
    );
    rowOf('ratio, paired', (launches) => pairedComparison(launches, apart).relativeInterval, 0);
  }
}

function medianOfLaunches(launches: number, apart: number): Interval | null {
  const readings = inLaunches(launches, levels(launches, apart), 0);
  return medianInterval(readings, { random, resamples }).interval;
}
