import { Chart, type ChartConfiguration, type Plugin } from 'chart.js';
import {
  BarWithErrorBar,
  BarWithErrorBarsController,
  type IErrorBarXDataPoint,
} from 'chartjs-chart-error-bars';
import { linearAxis } from './chart-theme.ts';
import { token } from '../theme.ts';

Chart.register(BarWithErrorBarsController, BarWithErrorBar);

/** A value with its interval; `low` and `high` are null where no interval is known. */
export interface IntervalBar {
  label: string;
  token: `--${string}`;
  value: number;
  low: number | null;
  high: number | null;
}

/** A bar as Chart.js takes it. */
export type BarPoint = Partial<IErrorBarXDataPoint> & { x: number; y: string };
export type IntervalBarChart = ChartConfiguration<'barWithErrorBars', BarPoint[], string>;

/** How tall a chart of so many bars is, pixels. */
export function intervalBarsPx(count: number): number {
  return 64 + 30 * count;
}

/** One bar a value, its name beside it and its value behind it. */
export function intervalBars(
  bars: readonly IntervalBar[],
  axis: string,
  text: (value: number) => string,
): IntervalBarChart {
  return {
    type: 'barWithErrorBars',
    data: {
      labels: bars.map(({ label }) => label),
      datasets: [
        {
          data: bars.map(({ label, value, low, high }) => barPoint(label, value, low, high)),
          backgroundColor: bars.map((bar) => token(bar.token)),
          maxBarThickness: 20,
          ...whiskers(token('--sys-color-on-surface')),
        },
      ],
    },
    options: {
      ...horizontal(axis),
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
    },
    plugins: [valuesAtEnds(text)],
  };
}

/** A value at a place of the axis of names. Without an interval it has no whisker. */
export function barPoint(y: string, x: number, low: number | null, high: number | null): BarPoint {
  return { x, y, ...(low !== null && high !== null && { xMin: low, xMax: high }) };
}

/** Axes of bars that lie, with room for the texts at the ends of the longest. */
export function horizontal(axis: string) {
  return {
    indexAxis: 'y',
    layout: { padding: { right: 72 } },
    scales: {
      x: linearAxis(axis),
      y: { grid: { display: false }, border: { display: false } },
    },
  } as const;
}

/** How an interval is drawn. */
export function whiskers(color: string) {
  return {
    errorBarColor: { v: [color] },
    errorBarWhiskerColor: { v: [color] },
    errorBarLineWidth: { v: [1.5] },
    errorBarWhiskerLineWidth: { v: [1.5] },
    errorBarWhiskerSize: { v: [9] },
    errorBarWhiskerRatio: { v: [0] },
  };
}

/** Writes each bar's value behind its whisker, so that no pointer is needed to read it. */
export function valuesAtEnds(text: (value: number) => string): Plugin<'barWithErrorBars'> {
  return {
    id: 'bar-values',
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      ctx.save();
      ctx.fillStyle = token('--sys-color-on-surface');
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = 'middle';
      for (const [index, { data }] of chart.data.datasets.entries()) {
        for (const [row, bar] of chart.getDatasetMeta(index).data.entries()) {
          const { x, xMax } = data[row] as unknown as BarPoint;
          const end = scales['x']?.getPixelForValue(Number(xMax ?? x)) ?? bar.x;
          ctx.fillText(text(x), Math.max(end, bar.x) + 8, bar.y);
        }
      }
      ctx.restore();
    },
  };
}
