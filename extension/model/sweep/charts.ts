import { breakEvenChart } from '../explain/break-even-chart.ts';
import type { Chart } from '../page/chart.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import { cellKey, type Sample, usable } from '../run/sample.ts';
import type { SweepRun } from './run.ts';
import { type Series, type SeriesPair, seriesName } from './series.ts';
import { pairLook, seriesLook } from './series-look.ts';
import type { SweepSummary } from './summary.ts';

/**
 * The extra time of a hit over the delays, for each pair whose break-even is shown; where none is, for the first pair.
 * `pairs`: all that the report draws, of one workload.
 */
export function breakEvenCharts(
  { fits, points, breakEvens }: SweepSummary,
  pairs: readonly SeriesPair[],
  workload?: string,
): Chart[] {
  const all = breakEvens.filter(({ of, extra }) => extra && of.workload === workload);
  const shown = all.filter(({ interval }) => interval !== null);
  return (shown.length > 0 ? shown : all.slice(0, 1)).flatMap((each, place) => {
    const [of, against] = [unnamed(each.of), unnamed(each.against)];
    const look = pairLook(fits, pairs, { of, against });
    const id = place === 0 ? 'break-even' : `break-even-${place + 1}`;
    return breakEvenChart([each], points, { of, against, look, id });
  });
}

function unnamed({ arm, variant }: Series): Series {
  return { arm, ...(variant !== undefined && { variant }) };
}

/** Every read by launch and over the run, all workloads and delays together. */
export function sweepSteadiness(
  run: SweepRun,
  { fits }: SweepSummary,
  samples: readonly Sample[],
): Chart[] {
  const own = Map.groupBy(usable(samples), ({ cell }) => sideKey(cell));
  const series = new Map(fits.map((fit) => [sideKey(fit), unnamed(fit)]));
  const all = [...series.values()];
  return steadinessCharts(
    run,
    [...series].map(([key, each]): SingleSeries => ({
      label: seriesName(each),
      ...seriesLook(all, each),
      values: (own.get(key) ?? []).map(({ cell, launch, takenAt, readMs }) => {
        return { cell: cellKey(cell), launch, takenAt, value: readMs };
      }),
    })),
    { one: 'read', group: 'launch', groups: 'launches' },
  );
}

/** The same for all workloads of an arm and a variant. */
function sideKey({ arm, variant = '' }: Series): string {
  return `${arm} ${variant}`;
}
