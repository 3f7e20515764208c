import {
  type Comparison,
  compare,
  compareFamily,
  type GroupPair,
} from '@cachescope/model/statistics/comparison.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { coverage, isDifferent, normal, random, row } from './statistics-simulation.ts';

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
  return compare(of, against);
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
  return compare(of, against);
}

const counts = [3, 4, 5, 7, 10, 20];

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
        (launches) => launchComparison(launches, times, skewed).differenceInterval,
        0,
      );
      rowOf('gap, paired', (launches) => paired(launches).differenceInterval, 0);
    }
  }
  measureWidth();
  measureHeaps();
}

function medianOf(levels: readonly number[], skewed: boolean): Interval | null {
  return medianInterval(inLaunches(levels, 0, skewed)).interval;
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

/** A family of cells, and how their variance differs. */
interface Family {
  cells: number;
  launches: number;
  /** sd between the launches of a cell, ms. The cells' base times are 20 ms, 30 ms, 40 ms and so on. */
  sdMs: (cell: number) => number;
  /** True ratio minus 1, in every cell. */
  gap: number;
}

/** Launches with four samples per cell; the difference varies from launch to launch. */
function drawFamily({ cells, launches, sdMs, gap }: Family): GroupPair[] {
  return Array.from({ length: cells }, (_, cell) => {
    const baseMs = 20 + 10 * cell;
    const shifts = Array.from({ length: launches }, () => sdMs(cell) * normal());
    const group = (share: number, shifted: number): Reading[] =>
      shifts.flatMap((shift, launch) =>
        Array.from({ length: 4 }, () => ({
          value: baseMs * (1 + share) + shifted * shift + normal(),
          launch,
        })),
      );
    return { of: group(gap, 1), against: group(0, 0) };
  });
}

/** Families with a false DIFFERENT, and the power. */
export function measureFamilies(): void {
  const trials = 2000;
  console.log(
    `\nFamilies of comparisons, launches of 4 readings, ${trials} trials: families with a false DIFFERENT (goal: at most 5 %), true 10 % found`,
  );
  const scatters: Record<string, (cell: number) => number> = {
    'the same in ms': () => 1.5,
    'the same in percent': (cell) => 0.05 * (20 + 10 * cell),
    'four times in every other cell': (cell) => (cell % 2 === 0 ? 0.75 : 3),
    'ten times in one cell': (cell) => (cell === 3 ? 10 : 1),
  };
  for (const [name, sdMs] of Object.entries(scatters)) {
    for (const [launches, cells] of [3, 5, 10].flatMap((count) =>
      [6, 12, 24].map((size) => [count, size] as const),
    )) {
      const equal = Array.from({ length: trials }, () =>
        drawFamily({ cells, launches, sdMs, gap: 0 }),
      );
      const wrong = share(equal, (pairs) => compareFamily(pairs).some(isDifferent));
      const apart = Array.from({ length: trials / 10 }, () =>
        compareFamily(drawFamily({ cells, launches, sdMs, gap: 0.1 })),
      );
      console.log(
        `  ${name}, ${launches} launches, ${cells} cells: false ${wrong}; found ${share(apart.flat(), isDifferent)}`,
      );
    }
  }
}

function share<Item>(items: readonly Item[], is: (item: Item) => unknown): string {
  return `${((100 * items.filter(is).length) / items.length).toFixed(1)} %`;
}
