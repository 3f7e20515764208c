import { type Comparison, compare } from '@cachescope/model/statistics/comparison.ts';
import { type Interval } from '@cachescope/model/statistics/interval.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { coverage, normal, random, resamples, row } from './statistics-simulation.ts';

/**
 * Four samples of sd 5 % in each launch; `level` shifts a launch, as a share. `skewed`: lognormal with three times the
 * spread.
 */
function inLaunches(levels: readonly number[], first: number, skewed: boolean): Reading[] {
  return levels.flatMap((level, launch) =>
    Array.from({ length: 4 }, () => ({
      value: 100 * (1 + level) * (skewed ? Math.exp(0.15 * normal()) : 1 + 0.05 * normal()),
      launch: first + launch,
    })),
  );
}

/** Random levels of launches; their sd is `times` that of the samples. */
function levelsOf(launches: number, times: number): number[] {
  return Array.from({ length: launches }, () => 0.05 * times * normal());
}

/** Both groups have separate launches. */
function launchComparison(launches: number, times: number, skewed = false): Comparison {
  const of = inLaunches(levelsOf(launches, times), 0, skewed);
  const against = inLaunches(levelsOf(launches, times), launches, skewed);
  return compare(of, against, { random, resamples });
}

/**
 * Both groups have the same launches. A launch shifts both groups alike, and one relative to the other by a third of
 * that sd. `gap` is the true ratio minus 1.
 */
function pairedComparison(launches: number, times: number, skewed = false, gap = 0): Comparison {
  const shared = levelsOf(launches, times);
  const own = shared.map(
    (level) => (1 + level) * (1 + gap) * (1 + (0.05 * times * normal()) / 3) - 1,
  );
  const [of, against] = [inLaunches(own, 0, skewed), inLaunches(shared, 0, skewed)];
  return compare(of, against, { random, resamples });
}

const counts = [2, 3, 5, 9, 10, 20];

/** Coverage of every interval over launches, then interval width and power. */
export function measureLaunches(): void {
  const some = 4000;
  console.log(
    `\nCoverage where four readings (sd 5 %) share a launch, % of ${some} trials (goal: 95 +- 1), launches ${counts.join(', ')}`,
  );
  for (const skewed of [false, true]) {
    for (const times of [0, 1, 2]) {
      const title = `${skewed ? 'lognormal' : 'normal'}, launch sd x ${times}`;
      const rowOf = (name: string, draw: (launches: number) => Interval | null, truth: number) =>
        row(`${name}; ${title}`, counts, (launches) => coverage(() => draw(launches), truth, some));
      const paired = (launches: number) => pairedComparison(launches, times, skewed);
      rowOf('median', (launches) => medianOf(levelsOf(launches, times), skewed), 100);
      rowOf(
        'gap, launches of their own',
        (launches) => launchComparison(launches, times, skewed).relativeInterval,
        0,
      );
      rowOf('gap, paired', (launches) => paired(launches).relativeInterval, 0);
      rowOf('gap in ms, paired', (launches) => paired(launches).differenceInterval, 0);
    }
  }
  measureWidth();
  measureHeaps();
}

function medianOf(levels: readonly number[], skewed: boolean): Interval | null {
  return medianInterval(inLaunches(levels, 0, skewed), { random, resamples }).interval;
}

/** More data must not widen an interval. */
function measureWidth(): void {
  const some = 2000;
  console.log(`\nPaired gap, true 5 %, launch sd x 2, ${some} trials`);
  const found = new Map(
    counts.map((launches) => [
      launches,
      Array.from({ length: some }, () => pairedComparison(launches, 2, false, 0.05)),
    ]),
  );
  const meanOf = (of: (comparison: Comparison) => number) => (launches: number) =>
    (found.get(launches) ?? []).reduce((sum, each) => sum + of(each), 0) / some;
  const half = ({ relativeInterval: interval }: Comparison): number =>
    interval ? 50 * (interval.high - interval.low) : 0;
  const squareError = meanOf(({ relative }) => (100 * ((relative ?? 0) - 0.05)) ** 2);
  const called = meanOf(({ p }) => (p !== null && p <= 0.05 ? 100 : 0));
  row('half width, %', counts, meanOf(half));
  row('root mean square error, %', counts, (launches) => Math.sqrt(squareError(launches)));
  row('called different, %', counts, called);
}

/**
 * Bimodal launches, with modes 20 % apart: an interval from few launches cannot include a mode that none of them
 * showed.
 */
function measureHeaps(): void {
  const some = 4000;
  console.log(
    `\nCoverage of the level where launches are bimodal, 20 % apart, % of ${some} trials`,
  );
  for (const part of [0.5, 0.2]) {
    const truth = 100 * 1.2 ** part;
    const levels = (launches: number) =>
      Array.from({ length: launches }, () => (random() < part ? 0.2 : 0));
    row(`${100 * part} % of launches in the upper mode`, counts, (launches) =>
      coverage(() => medianOf(levels(launches), false), truth, some),
    );
  }
}
