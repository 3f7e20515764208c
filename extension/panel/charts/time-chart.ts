import { downsample } from '@cachescope/model/statistics/downsample.ts';
import { digits } from '@cachescope/model/quantity.ts';
import type { TimeSeries } from '@cachescope/model/reclaim/series.ts';
import {
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  LogarithmicScale,
  type Plugin,
} from 'chart.js';
import { linearAxis } from './chart-theme.ts';
import { lookAt } from './palette.ts';
import { token } from '../theme.ts';

Chart.register(LogarithmicScale);

/** Points drawn of one line: about two a pixel. */
const mostPoints = 1600;
/** More marks than that would cover what they mark, and become ticks at the edge. */
const mostLines = 60;
const tickPx = 7;
/** With fewer points than that each is marked. */
const markedPoints = 40;

const dashes: readonly number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

type TimePoint = { x: number; y: number };
type TimeChart = ChartConfiguration<'scatter', TimePoint[]>;
type TimeDataset = ChartDataset<'scatter', TimePoint[]>;

/** A value that is drawn as a line of its own. */
export interface ChartLimit {
  name: string;
  value: number;
}

/** What is drawn beside the lines. */
export interface TimeChartOptions {
  /** Quantity and unit of the vertical axis. */
  axis: string;
  /** Times to be marked, s, and what they are. */
  marks: readonly number[];
  markName: string;
  /** A value to be drawn as a line of its own, and its name; null: none. */
  limit?: ChartLimit | null;
  isLogarithmic?: boolean;
}

/** Values against time: a line a series, thinned without losing an extreme, with moments marked. */
export function timeChart(series: readonly TimeSeries[], options: TimeChartOptions): TimeChart {
  const { axis, marks, markName, limit = null, isLogarithmic = false } = options;
  const lines = series.map(seriesLine);
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

function seriesLine({ name, points }: TimeSeries, place: number): TimeDataset {
  const { token: colour, marker } = lookAt(place);
  const color = token(colour);
  const drawn = downsample(points, mostPoints);
  return {
    label: name,
    data: drawn,
    showLine: true,
    borderColor: color,
    backgroundColor: color,
    borderWidth: 1.5,
    borderDash: dashes[place % dashes.length] ?? [],
    pointStyle: marker,
    pointRadius: drawn.length < markedPoints ? 3 : 0,
    pointHitRadius: 6,
  };
}

function limitLine(
  { name, value }: ChartLimit,
  { min, max }: { min: number; max: number },
): TimeDataset {
  const color = token('--sys-color-error-bright');
  return {
    label: name,
    data: [
      { x: min, y: value },
      { x: max, y: value },
    ],
    showLine: true,
    borderColor: color,
    backgroundColor: color,
    borderWidth: 1.5,
    borderDash: [2, 4],
    pointStyle: 'line',
    pointRadius: 0,
    pointHitRadius: 0,
  };
}

/** Moments are drawn by a plugin; this names them in the legend. */
function legendOnly(label: string): TimeDataset {
  const color = markColor();
  return { label, data: [], borderColor: color, backgroundColor: color, pointStyle: 'line' };
}

function markColor(): string {
  return `color-mix(in srgb, ${token('--sys-color-on-surface-subtle')} 55%, transparent)`;
}

/** The run ends where it ends: no tick names a fraction of a second there. */
function timeAxis({ min, max }: { min: number; max: number }) {
  const axis = linearAxis('Time since the first request was due, s');
  return { ...axis, beginAtZero: false, min, max, ticks: { ...axis.ticks, includeBounds: false } };
}

function logarithmicAxis(title: string) {
  return {
    ...linearAxis(title),
    type: 'logarithmic' as const,
    beginAtZero: false,
    ticks: {
      color: token('--sys-color-on-surface-subtle'),
      maxTicksLimit: 8,
      callback: (value: number | string) => digits(Number(value)),
    },
  };
}

/** A line at each moment; ticks at the upper edge where there are many. */
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
