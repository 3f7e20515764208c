import { judgedFamily } from '../statistics/verdict.ts';
import type { SweepReads } from '../sweep/reads.ts';
import { isRecompressed } from '../sweep/recompressed.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { SweepRun } from '../sweep/run.ts';
import { seriesOf } from '../sweep/series.ts';

/**
 * Error of the emulated fix: a hit of the response that the origin sent as Zstandard, compared with a hit of a DCB
 * response that Chromium itself recompressed as Zstandard.
 */
export interface EmulationError {
  workload: string;
  storage: SweepPoint['storage'];
  requestedDelayMs: number;
  emulatedMs: number;
  measuredMs: number;
  /** (Emulated minus measured) / measured; 0.05: the emulation is 5 % too high. */
  share: number;
  /** Its 95 % interval; null with fewer than 3 launches. */
  lowShare: number | null;
  highShare: number | null;
}

/** For every workload and point that was measured both ways; empty for a run without Chromium's own recompression. */
export function emulationErrors(
  run: SweepRun,
  points: readonly SweepPoint[],
  reads: SweepReads,
): EmulationError[] {
  const measured = seriesOf(run.plan).filter((each) => isRecompressed(each) && each.arm === 'dcb');
  const pairs = measured.flatMap((series) =>
    points.map(({ storage, requestedDelayMs }) => {
      const { variant: _, ...stock } = series;
      const place = { storage, delayMs: requestedDelayMs };
      const of = reads.readingsAt({ ...stock, arm: 'zstd', ...place });
      const against = reads.readingsAt({ ...series, ...place });
      const workload = series.workload ?? run.plan.workload.name;
      return { workload, storage, requestedDelayMs, of, against };
    }),
  );
  // Only values are used, no verdicts.
  const judged = judgedFamily(pairs, { better: 'lower', inconclusive: null });
  return judged.flatMap(({ workload, storage, requestedDelayMs, comparison }) => {
    const { relative: share, relativeInterval } = comparison;
    const [emulatedMs, measuredMs] = [comparison.of.median, comparison.against.median];
    if (emulatedMs === null || measuredMs === null || share === null) return [];
    const { low: lowShare = null, high: highShare = null } = relativeInterval ?? {};
    const place = { workload, storage, requestedDelayMs };
    return [{ ...place, emulatedMs, measuredMs, share, lowShare, highShare }];
  });
}
