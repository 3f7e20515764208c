import { milliseconds } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { linearAxis } from './chart-theme.ts';
import { pointText } from './interval-text.ts';
import './interval-line.ts';

/** A value (y) at a measured delay (x, ms), with its interval where it has one. */
export type DelayPoint = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
/** One series; an empty label keeps it out of the legend and the tooltips. */
export type DelayDataset = ChartDataset<'lineWithErrorBars' | 'scatter', DelayPoint[]>;
export type DelayChart = ChartConfiguration<'lineWithErrorBars' | 'scatter', DelayPoint[]>;

/** Values in ms against the measured delay of the device. `zeroLine`: they are differences, which may be below 0. */
export function delayChart(datasets: DelayDataset[], title: string, zeroLine: boolean): DelayChart {
  return {
    type: 'lineWithErrorBars',
    data: { datasets },
    options: {
      scales: {
        x: linearAxis('Measured read delay of the device, ms'),
        y: { ...linearAxis(title, { zeroLine }), ...(!zeroLine && { min: 0 }) },
      },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset }) => dataset.label !== '',
          callbacks: {
            title: ([item]) => `${milliseconds(item?.parsed.x ?? null)} measured delay`,
            label: ({ dataset, raw }) => {
              const { y, yMin, yMax } = raw as DelayPoint;
              return pointText(dataset.label ?? '', milliseconds(y), yMin, yMax);
            },
          },
        },
      },
    },
  };
}
