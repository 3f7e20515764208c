import type { Sample } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';

/**
 * Medians over consecutive timed reads of one launch on the slow disk, ms: the time from one read to the next, without
 * the read itself; null: unknown.
 */
export interface TimeBetweenReads {
  /** Between reads at the same delay. */
  betweenMs: number | null;
  /** The part of it that prepares the page cache. */
  evictionMs: number | null;
  /** The additional time of a change of the delay, including its verification. */
  delayChangeMs: number | null;
}

/** Computes these times from the times at which the samples were taken. */
export function timeBetweenReads(samples: readonly Sample[]): TimeBetweenReads {
  const pairs = samples.slice(1).flatMap((next, index) => {
    const sample = samples[index];
    if (sample?.kind !== 'timed' || next.kind !== 'timed') return [];
    if (sample.cell.storage === 'none' || sample.launch !== next.launch) return [];
    const apartMs = Date.parse(next.takenAt) - Date.parse(sample.takenAt);
    const isSame =
      sample.cell.delayMs === next.cell.delayMs && sample.cell.profile === next.cell.profile;
    return [{ isSame, betweenMs: apartMs - sample.readMs, evictionMs: sample.evictionMs }];
  });
  const same = pairs.filter(({ isSame }) => isSame);
  const changed = pairs.filter(({ isSame }) => !isSame);
  const betweenMs = median(same.map((pair) => pair.betweenMs));
  const changedMs = median(changed.map((pair) => pair.betweenMs));
  return {
    betweenMs,
    evictionMs: median(same.flatMap(({ evictionMs }) => evictionMs ?? [])),
    delayChangeMs: betweenMs === null || changedMs === null ? null : changedMs - betweenMs,
  };
}
