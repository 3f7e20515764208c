import { greatest } from '@cachescope/model/extremes.ts';
import {
  type HitModel,
  modelledInterval,
  modelledMs,
} from '@cachescope/model/explain/hit-model.ts';
import type { ChartLine, LinesChart } from '@cachescope/model/page/chart.ts';
import { digits, milliseconds } from '@cachescope/model/quantity.ts';
import { seriesLook } from '@cachescope/model/sweep/series-look.ts';
import { armLabel } from '@cachescope/model/sweep/series.ts';
import { delayAxes, singleReads } from '../sweep/delay-charts.ts';
import { unnamed, type WorkloadPart } from '../../run/workload-part.ts';

/** Number of segments of the model's line. */
const steps = 40;

/** Every read of one workload against the measured delay, and the model of each series with its interval. */
export function modelChart(
  { summary, samples, name }: WorkloadPart,
  models: readonly HitModel[],
): LinesChart {
  const own = models.filter(({ series }) => series.workload === name);
  const [id, where] =
    name === undefined ? ['', ''] : [`-${name.replaceAll(/[^\w-]/g, '-')}`, `, ${name}`];
  return {
    kind: 'lines',
    id: `model${id}`,
    title: `The model over the reads${where} (ms)`,
    caption: `${waitsCaption(own)} Lines are the model, bands its 95 % interval, marks single reads.`,
    ...delayAxes('Read time, ms'),
    lines: own.map((model): ChartLine => {
      const series = unnamed(model.series);
      const mostMs = greatest(model.points.map(({ delayMs }) => delayMs));
      return {
        ...seriesLook(summary.fits, series),
        label: armLabel(series),
        form: 'band',
        points: delaysTo(mostMs).map((x) => {
          const { low, high } = modelledInterval(model, x) ?? { low: null, high: null };
          // No read takes less than no time.
          return { x, y: modelledMs(model, x), low: low && Math.max(0, low), high };
        }),
        single: singleReads(summary, series, samples),
      };
    }),
  };
}

function delaysTo(mostMs: number): number[] {
  return Array.from({ length: steps + 1 }, (_, step) => (mostMs * step) / steps);
}

function waitsCaption(models: readonly HitModel[]): string {
  const told = models.map(({ series, waits }) => `${armLabel(series)} ${digits(waits)}`);
  const most = greatest(
    models.flatMap(({ points }) => points.map(({ requestedDelayMs }) => requestedDelayMs)),
  );
  return `Up to ${milliseconds(most)} of delay, number of waits of a hit: ${told.join(', ')}.`;
}
