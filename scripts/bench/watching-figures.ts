import { createRandom } from '@cachescope/model/statistics/random.ts';
import { compare } from '@cachescope/model/statistics/comparison.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { type Observer, observers } from './observer.ts';

/** A value measured in one block of one launch. */
export interface Taken {
  observer: Observer;
  measure: string;
  /** ms. */
  value: number;
  round: number;
  block: number;
}

/** Overhead of watching: one observer and one measure compared with the observer's baseline. */
export interface WatchingFigure {
  observer: string;
  beside: string;
  measure: string;
  /** ms. */
  medianMs: number;
  /** Median as a ratio to the baseline's median; 1: no cost. null: there is no baseline. */
  ratio: number | null;
  /**
   * 95 % interval of the ratio, over blocks with both observers (over rounds when the browsers differ); null: too few.
   */
  interval: Interval | null;
  blocks: number;
}

/** Upper bound of the number of blocks in a launch: blocks are numbered across all rounds. */
const blocksPerRound = 100;

/** The values of every observer for every measure. */
export function watchingFigures(taken: readonly Taken[]): WatchingFigure[] {
  const measures = [...new Set(taken.map(({ measure }) => measure))];
  return measures.flatMap((measure) =>
    observers.flatMap((observer) => figureOf(observer, measure, taken) ?? []),
  );
}

function figureOf(
  observer: Observer,
  measure: string,
  taken: readonly Taken[],
): WatchingFigure | undefined {
  const { beside } = observer;
  const isPaired = beside?.browser === observer.browser;
  const readingsOf = (wanted: Observer | null): Reading[] =>
    taken
      .filter((each) => each.observer === wanted && each.measure === measure)
      .map(({ value, round, block }) => ({
        value,
        launch: isPaired ? round * blocksPerRound + block : round,
      }));
  const [own, other] = [readingsOf(observer), readingsOf(beside)];
  if (own.length === 0) return undefined;
  const compared = compare(own, other, { random: createRandom(1), resamples: 4000 });
  const { relative, relativeInterval } = compared;
  return {
    observer: observer.name,
    beside: beside?.name ?? '',
    measure,
    medianMs: median(own.map(({ value }) => value)) ?? Number.NaN,
    ratio: relative === null || !beside ? null : 1 + relative,
    interval: relativeInterval && {
      low: 1 + relativeInterval.low,
      high: 1 + relativeInterval.high,
    },
    blocks: compared.of.launches,
  };
}

/** The values as a table, with one block per measure. */
export function watchingTable(figures: readonly WatchingFigure[]): string {
  return [...Map.groupBy(figures, ({ measure }) => measure)]
    .map(([measure, own]) => [`${measure}, ms:`, ...own.map(line)].join('\n'))
    .join('\n');
}

function line({ observer, medianMs, ratio, interval, beside, blocks }: WatchingFigure): string {
  const start = `  ${observer.padEnd(31)} ${medianMs.toFixed(2).padStart(8)}`;
  if (ratio === null) return start;
  const range = interval ? `[${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]` : '[?]';
  return `${start}  ${ratio.toFixed(3)} ${range} of ${beside} (${blocks})`;
}
