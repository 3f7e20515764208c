import { compare } from '@cachescope/model/statistics/comparison.ts';
import { holds } from '@cachescope/model/statistics/interval.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { isPrecise } from '@cachescope/model/statistics/precision.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { decide, type StopOptions } from '@cachescope/model/statistics/stop-rule.ts';
import {
  independent,
  isDifferent,
  laws,
  normal,
  share,
  stoppingTrials,
} from './statistics-simulation.ts';

/**
 * Samples cells until the rule says stop; two cells are compared. `ratios`: the true value of each cell as a ratio to 20
 * ms, with an sd of 1 ms.
 */
function sampleUntilStopped(ratios: readonly number[], options: StopOptions) {
  const cells = ratios.map((ratio, place) => ({
    cell: `${place}`,
    ratio,
    readings: [] as Reading[],
  }));
  const pairs = cells.length === 2 ? [{ of: '0', against: '1', question: 'equal' }] : [];
  let looks: readonly number[] = [];
  for (;;) {
    const decision = decide({ cells, pairs, elapsedMs: 0, looks }, options);
    looks = decision.looks;
    if (decision.action === 'stop') {
      const { reason, judged } = decision;
      return { outcome: judged[0]?.verdict.outcome, reason, readings: cells[0]?.readings ?? [] };
    }
    for (const { cell, batch } of decision.cells) {
      const { ratio = 1, readings = [] } = cells[Number(cell)] ?? {};
      for (let count = 0; count < batch; count++)
        readings.push({ value: 20 * ratio + normal(), launch: null });
    }
  }
}

/** Interim analyses without correction: stops at the first batch that looks different. */
function naivePeek(): boolean {
  const a: Reading[] = [];
  const b: Reading[] = [];
  while (a.length < 500) {
    a.push(...independent(10, laws.normal));
    b.push(...independent(10, laws.normal));
    if (a.length >= 20 && isDifferent(compare(a, b))) return true;
  }
  return false;
}

export function measureStopRule(): void {
  const options: StopOptions = {
    verdict: { better: 'lower' },
    mostReadings: 500,
  };
  console.log(
    `\nStop rule, two cells of sd 5 %, margin 2 %, at most 500 readings, ${stoppingTrials} trials`,
  );
  console.log(
    `  equal cells called DIFFERENT when looking at every batch for free: ${share(naivePeek, stoppingTrials / 8).toFixed(1)} %`,
  );
  for (const greater of [0, 0.01, 0.02, 0.03, 0.05, 0.2]) {
    const ratios = [1 + greater, 1];
    const runs = Array.from({ length: stoppingTrials }, () => sampleUntilStopped(ratios, options));
    const percent = (outcome: string): string =>
      ((100 * runs.filter((run) => run.outcome === outcome).length) / runs.length).toFixed(1);
    const decided = runs.filter(({ reason }) => reason === 'comparison decided').length;
    console.log(
      `  true ratio ${(1 + greater).toFixed(2)}: DIFFERENT ${percent('DIFFERENT')} %, SAME ${percent('SAME')} %, UNKNOWN ${percent('UNKNOWN')} %; ` +
        `readings a cell, median ${median(runs.map(({ readings }) => readings.length))}; decided before the end ${((100 * decided) / runs.length).toFixed(0)} %`,
    );
  }
  measurePrecision();
}

/**
 * Number of samples that the rule takes for a precision, compared with the fixed number that reaches it in 90 % of
 * runs.
 */
function measurePrecision(): void {
  const precision = 0.01;
  const options: StopOptions = { precision, mostReadings: 2000 };
  const taken = Array.from({ length: 2000 }, () => sampleUntilStopped([1], options).readings);
  const held = taken.filter((readings) => {
    const { interval } = medianInterval(readings);
    return interval !== null && holds(interval, laws.normal.level);
  });
  const counts = taken.map((readings) => readings.length);
  const fixed = fixedReadings(precision);
  console.log(
    `  precision 1 %, sd 5 %: readings, median ${median(counts)}, mean ${(counts.reduce((total, count) => total + count, 0) / counts.length).toFixed(0)}; ` +
      `a fixed number that is precise in nine runs of ten: ${fixed}; ` +
      `intervals at the stop hold the truth in ${((100 * held.length) / taken.length).toFixed(1)} %`,
  );
}

/** The smallest number of samples, in tens, whose interval is narrow enough in 90 % of runs. */
function fixedReadings(precision: number): number {
  const precise = (size: number): boolean =>
    isPrecise(medianInterval(independent(size, laws.normal)), precision);
  for (let size = 20; ; size += 10) if (share(() => precise(size), 1000) >= 90) return size;
}
