import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { type Observer, observers } from './observer.ts';
import { compared, ratioText } from './ratio.ts';

/** A value measured in one block of one launch. */
export interface Taken {
  observer: Observer;
  measure: string;
  /** ms. */
  value: number;
  round: number;
  block: number;
}

/** Upper bound of the number of blocks in a launch: blocks are numbered across all rounds. */
const blocksPerRound = 100;

/** Overhead of watching as a table: each measure of every observer, compared with the observer's baseline. */
export function watchingTable(taken: readonly Taken[]): string {
  return [...Map.groupBy(taken, ({ measure }) => measure)]
    .map(([measure, own]) =>
      [`${measure}, ms:`, ...observers.flatMap((observer) => lineOf(observer, own))].join('\n'),
    )
    .join('\n');
}

/**
 * The median, and its ratio to the baseline's with a 95 % interval over blocks with both observers, or over rounds when
 * the browsers differ.
 */
function lineOf(observer: Observer, taken: readonly Taken[]): string[] {
  const { beside } = observer;
  const isPaired = beside?.browser === observer.browser;
  const readingsOf = (wanted: Observer | null): Reading[] =>
    taken
      .filter((each) => each.observer === wanted)
      .map(({ value, round, block }) => ({
        value,
        launch: isPaired ? round * blocksPerRound + block : round,
      }));
  const own = readingsOf(observer);
  const medianMs = median(own.map(({ value }) => value));
  if (medianMs === null) return [];
  const start = `  ${observer.name.padEnd(31)} ${medianMs.toFixed(2).padStart(8)}`;
  const comparison = compared(own, readingsOf(beside));
  if (!beside || comparison.relative === null) return [start];
  const launches = comparison.of.launches;
  return [`${start}  ${ratioText(comparison)} of ${beside.name} (${launches})`];
}
