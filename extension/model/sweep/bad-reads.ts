import type { CellReads, SweepReads } from './reads.ts';
import type { SweepPlan } from './run.ts';
import { type Series, seriesName, seriesOf } from './series.ts';

/** Outcomes of the reads of one arm, in one variant, while some of the device's reads failed. */
export interface BadReadOutcome {
  series: Series;
  reads: number;
  /** Complete and correct, without a request to the origin. */
  fromCache: number;
  /** Complete and correct, with a request to the origin: Chromium discarded its entry. */
  fromNetwork: number;
  /** The page's fetch() failed. */
  failed: number;
  /** The page received bytes that are not the resource's: the most severe outcome. */
  wrongBytes: number;
}

/**
 * Outcomes of bad reads by arm and variant, over the timed reads of the slow disk; empty for a run without bad reads.
 */
export function badReadOutcomes(plan: SweepPlan, { cells, drawn }: SweepReads): BadReadOutcome[] {
  if (!plan.device?.badReadRate) return [];
  const slow = [...cells.values(), ...drawn.values()].filter(({ cell }) => cell.storage !== 'none');
  return seriesOf(plan).map((series) => {
    const own = slow.filter(
      ({ cell }) => cell.arm === series.arm && cell.variant === series.variant,
    );
    const sum = (of: (reads: CellReads) => number): number =>
      own.reduce((total, reads) => total + of(reads), 0);
    return {
      series,
      reads: sum(({ timed }) => timed),
      fromCache: sum(({ outcomes }) => outcomes.fromCache),
      fromNetwork: sum(({ outcomes }) => outcomes.fromNetwork),
      failed: sum(({ outcomes }) => outcomes.failed),
      wrongBytes: sum(({ outcomes }) => outcomes.wrongBytes),
    };
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
