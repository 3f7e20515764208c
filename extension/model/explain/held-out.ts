import { relativeLine } from '../statistics/weighted-line.ts';
import { median } from '../statistics/quantile.ts';
import type { Series } from '../sweep/series.ts';

/** A delay that was excluded from the fit, and the prediction error there. */
export interface HeldOutPoint {
  series: Series;
  requestedDelayMs: number;
  predictedMs: number;
  medianMs: number;
  /** |predicted / measured - 1|. */
  errorShare: number;
}

/** How well a model predicts read times at delays that it was not fitted to. */
export interface HeldOut {
  points: HeldOutPoint[];
  /** Median of the errors; null without points. */
  medianShare: number | null;
}

type MeasuredPoint = Readonly<{ delayMs: number; requestedDelayMs: number; medianMs: number }>;

/**
 * Fits each series to every other delay and predicts the delays in between, then swaps the two halves. A series with
 * fewer than 4 delays is left out: one half would have fewer than two delays, and no line.
 */
export function heldOut(
  all: readonly { series: Series; points: readonly MeasuredPoint[] }[],
): HeldOut {
  const points = all
    .filter((each) => each.points.length >= 4)
    .flatMap(({ series, points: own }) =>
      [0, 1].flatMap((kept) => {
        const fitted = own.filter((_, index) => index % 2 === kept);
        const line = relativeLine(fitted.map(({ delayMs, medianMs }) => [delayMs, medianMs]));
        if (line === null) return [];
        return own
          .filter((_, index) => index % 2 !== kept)
          .map(({ requestedDelayMs, delayMs, medianMs }) => {
            const predictedMs = line.intercept + line.slope * delayMs;
            const errorShare = Math.abs(predictedMs / medianMs - 1);
            return { series, requestedDelayMs, predictedMs, medianMs, errorShare };
          });
      }),
    );
  return { points, medianShare: median(points.map(({ errorShare }) => errorShare)) };
}
