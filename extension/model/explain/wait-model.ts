import { greatest, least } from '../extremes.ts';
import type { HitModel } from './hit-model.ts';
import { median } from '../statistics/quantile.ts';
import { relativeLine } from '../statistics/weighted-line.ts';
import type { ArmFit } from '../sweep/result.ts';
import { isSameSeries, type Series } from '../sweep/series.ts';

/** One series in the model of the waits. */
export interface WaitModelPoint {
  series: Series;
  /** Size of its cache entry. */
  storedBytes: number;
  waits: number;
}

/**
 * The relation between the waits of a hit and its stored bytes, for any coding: waits = fixed + stored / bytesPerWait.
 * The fixed waits are for directories, inodes and the ends of the entry's file; the others are for its body.
 */
export interface WaitModel {
  fixedWaits: number;
  bytesPerWait: number;
  points: WaitModelPoint[];
  /** Median of |modelled waits / waits - 1|. */
  medianErrorShare: number;
}

/** Minimum ratio of the largest to the smallest entry for a fit of the model. */
const leastSpan = 4;

/** The fitted model of a run; null with fewer than 4 series, or when the sizes of their entries are too similar. */
export function fitWaits(models: readonly HitModel[], fits: readonly ArmFit[]): WaitModel | null {
  const points = models.flatMap(({ series, waits, verdict }) => {
    const storedBytes = fits.find((fit) => isSameSeries(fit, series))?.storedBytes ?? null;
    return storedBytes === null || verdict === 'fails' ? [] : [{ series, storedBytes, waits }];
  });
  const sizes = points.map(({ storedBytes }) => storedBytes);
  if (points.length < 4 || greatest(sizes) < leastSpan * least(sizes)) return null;
  const line = relativeLine(points.map(({ storedBytes, waits }) => [storedBytes, waits]));
  if (line === null || !(line.slope > 0)) return null;
  const errors = points.map(({ storedBytes, waits }) =>
    Math.abs((line.intercept + line.slope * storedBytes) / waits - 1),
  );
  return {
    fixedWaits: line.intercept,
    bytesPerWait: 1 / line.slope,
    points,
    medianErrorShare: median(errors) ?? Number.NaN,
  };
}
