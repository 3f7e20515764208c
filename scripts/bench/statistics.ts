import { compare } from '@cachescope/model/statistics/comparison.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { measureSingleReadings } from './statistics-coverage.ts';
import { measureFamilies, measureLaunches } from './statistics-launches.ts';
import { measureMachines } from './statistics-machines.ts';
import { measureModels } from './statistics-models.ts';
import { independent, laws } from './statistics-simulation.ts';
import { measureStopRule } from './statistics-stopping.ts';

/**
 * Checks all promises about the statistics: coverage, family errors, cost and savings of the stopping rule,
 * speed.
 */
export async function measureStatistics(): Promise<void> {
  measureSpeed();
  measureSingleReadings();
  measureLaunches();
  measureMachines();
  measureFamilies();
  measureModels();
  measureStopRule();
}

function measureSpeed(): void {
  const groupOf = (size: number): Reading[] => independent(size, laws.normal);
  const [of, against] = [groupOf(200), groupOf(200)];
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now();
    compare(of, against);
    return performance.now() - start;
  });
  console.log(
    `A comparison of 200 and 200 readings: ${median(times)?.toFixed(2)} ms (goal: under 1 ms)`,
  );
  const [many, manyOthers] = [groupOf(100_000), groupOf(100_000)];
  const start = performance.now();
  compare(many, manyOthers);
  console.log(
    `A comparison of 100,000 and 100,000: ${(performance.now() - start).toFixed(0)} ms (goal: under 1000 ms)`,
  );
}
