import type { Sample } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';

/**
 * Median times of a sweep on the slow disk from one timed read to the next in the same launch, without the read itself, ms;
 * null: unknown.
 */
export interface TimeBeside {
  /** Between reads at the same delay. */
  besideMs: number | null;
  /** Of it, preparing the page cache. */
  evictionMs: number | null;
  /** What a change of the delay, with its proof, adds. */
  delayChangeMs: number | null;
}

/** Derives the time beside reads from when they were taken. */
export function timeBeside(samples: readonly Sample[]): TimeBeside {
  const pairs = samples.slice(1).flatMap((next, index) => {
    const sample = samples[index];
    if (sample?.kind !== 'timed' || next.kind !== 'timed') return [];
    if (sample.cell.storage === 'none' || sample.launch !== next.launch) return [];
    const apartMs = Date.parse(next.takenAt) - Date.parse(sample.takenAt);
    const isSame = sample.cell.delayMs === next.cell.delayMs;
    return [{ isSame, besideMs: apartMs - sample.readMs, evictionMs: sample.evictionMs }];
  });
  const same = pairs.filter(({ isSame }) => isSame);
  const changed = pairs.filter(({ isSame }) => !isSame);
  const besideMs = median(same.map((pair) => pair.besideMs));
  const changedMs = median(changed.map((pair) => pair.besideMs));
  return {
    besideMs,
    evictionMs: median(same.flatMap(({ evictionMs }) => evictionMs ?? [])),
    delayChangeMs: besideMs === null || changedMs === null ? null : changedMs - besideMs,
  };
}
