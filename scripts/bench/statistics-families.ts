import { type Comparison, compareFamily } from '@cachescope/model/statistics/comparison.ts';
import { holds } from '@cachescope/model/statistics/interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { judge } from '@cachescope/model/statistics/verdict.ts';
import { normal, random, resamples } from './statistics-simulation.ts';

/** A family of cells, and how their variance differs. */
interface Family {
  cells: number;
  /** sd between the launches of a cell, ms. The cells' base times are 20 ms, 30 ms, 40 ms and so on. */
  sdMs: (cell: number) => number;
  /** True ratio minus 1, in every cell. */
  gap: number;
}

/** Five launches with four samples per cell; the difference varies from launch to launch. */
function draw({ cells, sdMs, gap }: Family): Comparison[] {
  const pairs = Array.from({ length: cells }, (_, cell) => {
    const baseMs = 20 + 10 * cell;
    const shifts = Array.from({ length: 5 }, () => sdMs(cell) * normal());
    const group = (share: number, shifted: number): Reading[] =>
      shifts.flatMap((shift, launch) =>
        Array.from({ length: 4 }, () => ({
          value: baseMs * (1 + share) + shifted * shift + normal(),
          launch,
        })),
      );
    return { of: group(gap, 1), against: group(0, 0) };
  });
  return compareFamily(pairs, { random, resamples });
}

/** Coverage and family-wise errors of differences that share their variance estimate. */
export function measureFamilies(): void {
  const trials = 2000;
  console.log(
    `\nFamilies of comparisons in 5 launches of 4 readings, ${trials} trials: coverage of one gap (goal: 95 +- 1), families with a false DIFFERENT (goal: at most 5), true 10 % found`,
  );
  const scatters: Record<string, (cell: number) => number> = {
    'the same in ms': () => 1.5,
    'the same in percent': (cell) => 0.05 * (20 + 10 * cell),
    'four times in every other cell': (cell) => (cell % 2 === 0 ? 0.75 : 3),
    'ten times in one cell': (cell) => (cell === 3 ? 10 : 1),
  };
  for (const [name, sdMs] of Object.entries(scatters)) {
    for (const cells of [6, 12, 24]) {
      const equal = Array.from({ length: trials }, () => draw({ cells, sdMs, gap: 0 }));
      const held = equal.flat().filter(({ differenceInterval: found }) => found && holds(found, 0));
      const apart = Array.from({ length: trials / 10 }, () => draw({ cells, sdMs, gap: 0.1 }));
      console.log(
        `  ${name}, ${cells} cells: covers ${percent(held.length, equal.flat().length)}; false ${percent(equal.filter(isAnyDifferent).length, trials)}; found ${percent(
          apart.map(foundIn).reduce((sum, count) => sum + count, 0),
          apart.length * cells,
        )}`,
      );
    }
  }
}

function foundIn(comparisons: readonly Comparison[]): number {
  return judge(comparisons, { better: 'lower' }).filter(({ outcome }) => outcome === 'DIFFERENT')
    .length;
}

function isAnyDifferent(comparisons: readonly Comparison[]): boolean {
  return foundIn(comparisons) > 0;
}

function percent(part: number, of: number): string {
  return `${((100 * part) / of).toFixed(1)} %`;
}
