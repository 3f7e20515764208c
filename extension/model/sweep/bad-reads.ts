import type { ReadOutcomes, SweepReads } from './reads.ts';
import type { SweepPlan } from './run.ts';
import { isSameSeries, type Series, seriesName, seriesOf } from './series.ts';

/** Outcomes of the reads of one series while some of the device's reads failed. */
export interface BadReadOutcome extends ReadOutcomes {
  series: Series;
  reads: number;
}

/**
 * Outcomes of bad reads by series, over the timed reads of the slow disk; empty for a run without bad reads.
 */
export function badReadOutcomes(plan: SweepPlan, { cells, drawn }: SweepReads): BadReadOutcome[] {
  if (!plan.device?.badReadRate) return [];
  const slow = [...cells.values(), ...drawn.values()].filter(({ cell }) => cell.storage !== 'none');
  return seriesOf(plan).map((series) => {
    const total = { series, reads: 0, fromCache: 0, fromNetwork: 0, failed: 0, wrongBytes: 0 };
    for (const { cell, timed, outcomes } of slow) {
      if (!isSameSeries(cell, series)) continue;
      total.reads += timed;
      for (const name of ['fromCache', 'fromNetwork', 'failed', 'wrongBytes'] as const)
        total[name] += outcomes[name];
    }
    return total;
  });
}

/** The outcomes in sentences; empty for a run without bad reads. */
export function badReadSentences(plan: SweepPlan, taken: SweepReads): string[] {
  const percent = 100 * (plan.device?.badReadRate ?? 0);
  return badReadOutcomes(plan, taken).map(
    ({ series, reads, fromCache, fromNetwork, failed, wrongBytes }) =>
      `With bad reads (${Number(percent.toPrecision(3))} % of the device's), of ${reads} reads of ${seriesName(series)} ` +
      `${fromCache} came complete from the cache, ${fromNetwork} fell back to the network, ${failed} failed, ` +
      `and ${wrongBytes === 0 ? 'none' : `${wrongBytes} (!)`} delivered wrong bytes.`,
  );
}
