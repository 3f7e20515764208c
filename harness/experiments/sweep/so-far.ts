import { digits } from '@cachescope/model/quantity.ts';
import { cellKey, type Sample, usable } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { type Series, seriesName, seriesOf } from '@cachescope/model/sweep/series.ts';
import type { ResultSoFar } from '../../lab/progress.ts';
import { plainTable } from '../../results/plain-table.ts';
import { controlsOf, type Point, pointName, slowPointsOf } from './points.ts';

type Where = Omit<Point, 'variant'>;
/** Median of the usable timed reads of a cell so far, ms; null: there are none. */
type MedianOf = (series: Series, where: Where) => number | null;

/** The preliminary results of a running sweep: medians without intervals. */
export function resultSoFar(plan: SweepPlan, samples: readonly Sample[]): ResultSoFar {
  return {
    table: () => tableSoFar(plan, mediansOf(samples)),
    sentence: () => firstResult(plan, mediansOf(samples)),
  };
}

function mediansOf(samples: readonly Sample[]): MedianOf {
  const byCell = Map.groupBy(usable(samples), ({ cell }) => cellKey(cell));
  return (series, where) =>
    median((byCell.get(cellKey({ ...where, ...series })) ?? []).map(({ readMs }) => readMs));
}

function tableSoFar(plan: SweepPlan, medianOf: MedianOf): string[] {
  const series = seriesOf(plan);
  const rows = placesOf(plan).flatMap((where) => {
    const medians = series.map((each) => medianOf(each, where));
    if (medians.every((value) => value === null)) return [];
    return [[pointName(where), ...medians.map((value) => (value === null ? '' : digits(value)))]];
  });
  if (rows.length === 0) return [];
  const table = plainTable(['IO delay', ...series.map(seriesName)], 1, rows);
  return ['Preliminary: median of a cached read so far, ms', ...table.split('\n'), ''];
}

/** The control and one delay, once both are known for every arm; of the first variant, if there are several. */
function firstResult(plan: SweepPlan, medianOf: MedianOf): string | null {
  const all = seriesOf(plan);
  const series = all.filter(({ variant }) => variant === all[0]?.variant);
  const isKnown = (where: Where) => series.every((each) => medianOf(each, where) !== null);
  const [control, ...slow] = placesOf(plan);
  const delayed = slow.find(isKnown);
  if (!control || !delayed || !isKnown(control)) return null;
  const timesAt = (where: Where) => {
    const times = series.map((each) => `${seriesName(each)} ${digits(medianOf(each, where))} ms`);
    const place = where.storage === 'none' ? 'on the control' : `at ${pointName(where)}`;
    return `${times.join(', ')} ${place}`;
  };
  return `Preliminary, from the first reads: ${timesAt(control)}; ${timesAt(delayed)}`;
}

function placesOf(plan: SweepPlan): Where[] {
  const all = [...controlsOf(plan), ...slowPointsOf(plan)];
  // With several variants, one point represents the place.
  return [...Map.groupBy(all, pointName).values()].flatMap(([point]) => point ?? []);
}
