import { digits } from '@cachescope/model/quantity.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import { Chart } from 'chart.js';
import { type BarChart, barChart, bars } from '../../charts/bar-charts.ts';
import type { Figure } from '../../charts/figure.ts';
import { lookAt } from '../../charts/palette.ts';
import { tailCaption } from './captions.ts';

const predictedName = 'p95 predicted';

/** The tails of read times with a profile, beside the tail of one device read. */
export function tailFigure(profile: ProfileResult): Figure {
  const rows = 1 + profile.reads.length;
  return {
    id: 'tail',
    title: `Read time with the latencies of ${profile.name} (ms)`,
    caption: tailCaption(profile),
    heightPx: 96 + 88 * rows,
    draw: (canvas) => new Chart(canvas, tailChart(profile)),
  };
}

/** Median, p95, predicted p95 and p99, with one bar of each for the device and each series. */
export function tailChart({ device, reads }: ProfileResult): BarChart {
  const labels = ['Device read', ...reads.map(seriesName)];
  const tails = [device, ...reads.map(({ tail, medianMs }) => ({ ...tail, medianMs }))];
  const predicted = [null, ...reads.map(({ predictedP95Ms }) => predictedP95Ms)];
  const values: [name: string, (number | null)[]][] = [
    ['median', tails.map(({ medianMs }) => medianMs)],
    ['p95', tails.map(({ p95Ms }) => p95Ms)],
    [predictedName, predicted],
    ['p99', tails.map(({ p99Ms }) => p99Ms)],
  ];
  const datasets = values.map(([name, data], place) => bars(name, lookAt(place), data));
  return barChart(labels, datasets, 'Read time, ms', tailText, true);
}

/** Nothing where nothing was predicted, as for the device. */
function tailText(ms: number | null, name: string): string {
  return ms === null && name === predictedName ? '' : `${name} ${digits(ms)}`;
}
