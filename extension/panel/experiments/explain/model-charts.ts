import { greatest } from '@cachescope/model/extremes.ts';
import {
  type HitModel,
  modelledInterval,
  modelledMs,
} from '@cachescope/model/explain/hit-model.ts';
import { armLabel } from '@cachescope/model/sweep/series.ts';
import { type DelayChart, delayChart, type DelayDataset } from '../../charts/delay-chart.ts';
import { seriesStyle } from '../../charts/series-style.ts';
import { thinLine } from '../../page/line-datasets.ts';
import { token } from '../../theme.ts';
import { slowPoints } from '../sweep/captions.ts';
import { rawSamples } from '../sweep/delay-charts.ts';
import { unnamed, type WorkloadPart } from '../../run/workload-part.ts';

/** Number of segments of the model's line. */
const steps = 40;

function delaysTo(mostMs: number): number[] {
  return Array.from({ length: steps + 1 }, (_, step) => (mostMs * step) / steps);
}

function faint(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}

/** Every read against the measured delay, and the model of each series with its interval. */
export function modelChart(
  { summary, samples, name }: WorkloadPart,
  models: readonly HitModel[],
): DelayChart {
  const own = models.filter(({ series }) => series.workload === name);
  const datasets = own.flatMap((model): DelayDataset[] => {
    const series = unnamed(model.series);
    const style = seriesStyle(summary, series);
    const color = token(style.token);
    const most = greatest(model.points.map(({ delayMs }) => delayMs));
    const modelled = delaysTo(most).map((x) => ({ x, y: modelledMs(model, x) }));
    const ends = delaysTo(most).flatMap((x) => {
      const interval = modelledInterval(model, x);
      return interval ? [{ x, ...interval }] : [];
    });
    return [
      {
        ...thinLine(armLabel(series), color, modelled),
        borderWidth: 2,
        borderDash: [...style.dash],
      },
      ...(['low', 'high'] as const).map((end) => {
        const least = end === 'low' ? 0 : -Infinity;
        const bound = ends.map((each) => ({ x: each.x, y: Math.max(least, each[end]) }));
        return { ...thinLine('', faint(color, 45), bound), borderWidth: 1 };
      }),
      rawSamples(style, series, slowPoints(summary), samples),
    ];
  });
  return delayChart(datasets, 'Read time, ms', false);
}
