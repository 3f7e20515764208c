import type { Sample } from '../run/sample.ts';
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
export function badReadOutcomes(plan: SweepPlan, samples: readonly Sample[]): BadReadOutcome[] {
  if (!plan.device?.badReadRate) return [];
  const slow = samples.filter(({ kind, cell }) => kind === 'timed' && cell.storage !== 'none');
  return seriesOf(plan).map((series) => {
    const reads = slow.filter(
      ({ cell }) => cell.arm === series.arm && cell.variant === series.variant,
    );
    const count = (is: (sample: Sample) => boolean): number => reads.filter(is).length;
    const isWhole = ({ flags }: Sample): boolean =>
      !flags.includes('read-failed') && !flags.includes('wrong-body');
    return {
      series,
      reads: reads.length,
      fromCache: count((sample) => isWhole(sample) && sample.originRequests === 0),
      fromNetwork: count((sample) => isWhole(sample) && sample.originRequests > 0),
      failed: count(({ flags }) => flags.includes('read-failed')),
      wrongBytes: count(({ flags }) => flags.includes('wrong-body')),
    };
  });
}

/** The outcomes in sentences; empty for a run without bad reads. */
export function badReadSentences(plan: SweepPlan, samples: readonly Sample[]): string[] {
  const percent = 100 * (plan.device?.badReadRate ?? 0);
  return badReadOutcomes(plan, samples).map(
    ({ series, reads, fromCache, fromNetwork, failed, wrongBytes }) =>
      `With bad reads (${Number(percent.toPrecision(3))} % of the device's), of ${reads} reads of ${seriesName(series)} ` +
      `${fromCache} came complete from the cache, ${fromNetwork} fell back to the network, ${failed} failed, ` +
      `and ${wrongBytes === 0 ? 'none' : `${wrongBytes} (!)`} delivered wrong bytes.`,
  );
}
