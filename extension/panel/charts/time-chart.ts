import { downsample } from '@cachescope/model/statistics/downsample.ts';
import { digits } from '@cachescope/model/quantity.ts';
import type { TimeSeries } from '@cachescope/model/reclaim/series.ts';
import type { ChartConfiguration, ChartDataset, Plugin } from 'chart.js';
import { linearAxis } from './chart-theme.ts';
import { logarithmicAxis } from './logarithmic-axis.ts';
import { dashAt, lookAt } from './palette.ts';
import { token } from '../theme.ts';

/** Maximum number of points drawn for a line: about two per pixel. */
const mostPoints = 1600;
/** More marks than this would cover the lines; they are drawn as ticks at the edge instead. */
const mostLines = 60;
const tickPx = 7;
/** Below this number of points each point has a marker. */
const markedPoints = 40;

type TimePoint = { x: number; y: number };
type TimeChart = ChartConfiguration<'scatter', TimePoint[]>;
type TimeDataset = ChartDataset<'scatter', TimePoint[]>;

/** A value drawn as a horizontal line. */
export interface ChartLimit {
  name: string;
  value: number;
}

/** Options besides the series. */
export interface TimeChartOptions {
  /** Quantity and unit of the vertical axis. */
  axis: string;
  /** Marked times, s, and their name in the legend. */
  marks: readonly number[];
  markName: string;
  /** A value drawn as a horizontal line, with its name; null: none. */
  limit?: ChartLimit | null;
  isLogarithmic?: boolean;
}

/** Values against time, one line for each series, downsampled without losing extremes, with marked times. */
export function timeChart(series: readonly TimeSeries[], options: TimeChartOptions): TimeChart {
  const { axis, marks, markName, limit = null, isLogarithmic = false } = options;
  const lines = series.map((each, place) =>
    seriesLine(isLogarithmic ? aboveZero(each) : each, place),
  );
  const ends = endsOf(series);
  return {
    type: 'scatter',
    data: {
      datasets: [
        ...lines,
        ...(limit ? [limitLine(limit, ends)] : []),
        ...(marks.length > 0 ? [legendOnly(markName)] : []),
      ],
    },
    options: {
      parsing: false,
      scales: {
        x: timeAxis(ends),
        y: isLogarithmic ? logarithmicAxis(axis) : linearAxis(axis),
      },
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => `${digits(item?.parsed.x ?? 0)} s`,
            label: ({ dataset, parsed }) => `${dataset.label}: ${digits(parsed.y ?? null)}`,
          },
        },
      },
    },
    plugins: [momentMarks(marks)],
  };
}

function endsOf(series: readonly TimeSeries[]): { min: number; max: number } {
  const times = series.flatMap(({ points }) => [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]);
  return { min: Math.min(0, ...times), max: Math.max(0, ...times) };
}

function line(label: string, color: string, data: TimePoint[]): TimeDataset {
  return {
    label,
    data,
    showLine: true,
    borderColor: color,
    backgroundColor: color,
    borderWidth: 1.5,
    pointStyle: 'line',
    pointRadius: 0,
  };
}

/** A logarithmic axis has no 0: with one, Chart.js would cut off what is far below the greatest value. */
function aboveZero({ name, points }: TimeSeries): TimeSeries {
  return { name, points: points.map(({ x, y }) => ({ x, y: y !== null && y > 0 ? y : null })) };
}

function seriesLine({ name, points }: TimeSeries, place: number): TimeDataset {
  const look = lookAt(place);
  const drawn = downsample(points, mostPoints);
  return {
    ...line(name, token(look.token), drawn),
    borderDash: dashAt(place),
    pointStyle: look.marker,
    pointRadius: drawn.length < markedPoints ? 3 : 0,
    pointHitRadius: 6,
  };
}

function limitLine(
  { name, value }: ChartLimit,
  { min, max }: { min: number; max: number },
): TimeDataset {
  const ends = [min, max].map((x) => ({ x, y: value }));
  const color = token('--sys-color-error-bright');
  return { ...line(name, color, ends), borderDash: [2, 4], pointHitRadius: 0 };
}

/** The marks are drawn by a plugin; this adds their name to the legend. */
function legendOnly(label: string): TimeDataset {
  const color = markColor();
  return { label, data: [], borderColor: color, backgroundColor: color, pointStyle: 'line' };
}

function markColor(): string {
  return `color-mix(in srgb, ${token('--sys-color-on-surface-subtle')} 55%, transparent)`;
}

/** The axis ends at the exact end of the run, without a tick label for that fraction of a second. */
function timeAxis({ min, max }: { min: number; max: number }) {
  const axis = linearAxis('Time since the first request was due, s');
  return { ...axis, beginAtZero: false, min, max, ticks: { ...axis.ticks, includeBounds: false } };
}

/** A line at each marked time; with many marks, ticks at the upper edge. */
function momentMarks(times: readonly number[]): Plugin<'scatter'> {
  return {
    id: 'moments',
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      const scale = scales['x'];
      if (!scale || times.length === 0) return;
      const bottom = times.length > mostLines ? chartArea.top + tickPx : chartArea.bottom;
      ctx.save();
      ctx.strokeStyle = markColor();
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (const time of times) {
        const x = scale.getPixelForValue(time);
        if (x < chartArea.left || x > chartArea.right) continue;
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, bottom);
      }
      ctx.stroke();
      ctx.restore();
    },
  };
}
