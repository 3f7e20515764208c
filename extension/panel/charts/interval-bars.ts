import { Chart, type ChartConfiguration } from 'chart.js';
import {
  BarWithErrorBar,
  BarWithErrorBarsController,
  type IErrorBarXDataPoint,
} from 'chartjs-chart-error-bars';
import { barLabels } from './bar-labels.ts';
import { linearAxis } from './chart-theme.ts';
import { token } from '../theme.ts';
import { whiskers } from './whiskers.ts';

Chart.register(BarWithErrorBarsController, BarWithErrorBar);

/** A value with its interval; `low` and `high` are null when the interval is unknown. */
export interface IntervalBar {
  label: string;
  token: `--${string}`;
  value: number;
  low: number | null;
  high: number | null;
}

/** A bar in the form that Chart.js takes. */
export type BarPoint = Partial<IErrorBarXDataPoint> & { x: number; y: string };
export type IntervalBarChart = ChartConfiguration<'barWithErrorBars', BarPoint[], string>;

/** Height of a chart with `count` bars, pixels. */
export function intervalBarsPx(count: number): number {
  return 64 + 30 * count;
}

/** One bar for each value, with its name beside it and its value behind it. */
export function intervalBars(
  bars: readonly IntervalBar[],
  axis: string,
  text: (value: number | null) => string,
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
    plugins: [barLabels(text)],
  };
}

/** A value at a position of the category axis. Without an interval it has no whisker. */
export function barPoint(y: string, x: number, low: number | null, high: number | null): BarPoint {
  return { x, y, ...(low !== null && high !== null && { xMin: low, xMax: high }) };
}

/** Axes of horizontal bars, with room for the labels at the ends of the longest. */
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
