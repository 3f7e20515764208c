import { greatest, least } from '@cachescope/model/extremes.ts';
import { digits } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { intervalLine } from './interval-line.ts';
import { pointText } from './interval-text.ts';
import { logarithmicAxis } from './logarithmic-axis.ts';
import { markLine } from './mark-line.ts';
import type { Look } from './palette.ts';

/** A value with its interval at an x position; `low` and `high` are null when the interval is unknown. */
export interface LinePoint {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
}

/** One line of a chart. */
export interface LogLine {
  label: string;
  style: Look;
  points: LinePoint[];
}

/** Axes of a chart. */
export interface LogAxes {
  x: string;
  y: string;
  /** Formats an x position. */
  xText: (x: number) => string;
  /** Formats a value with its unit. */
  yText: (y: number | null) => string;
  /** Positions of the ticks of the x axis; absent: the measured positions. */
  xTicks?: readonly number[];
  /** How far the y axis reaches beyond the greatest value, as a factor; absent: 1.5. */
  headroom?: number;
  /** A value marked by a dashed horizontal line; the caption explains it. */
  markY?: number;
}

/** Limits of the y axis. */
export interface Frame {
  min: number;
  max: number;
}

type Point = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
export type LogChart = ChartConfiguration<'lineWithErrorBars' | 'scatter', Point[]>;
export type LogDataset = ChartDataset<'lineWithErrorBars' | 'scatter', Point[]>;

/**
 * Lines with intervals on two logarithmic axes. Values not above 0 cannot be drawn and are left out. `behind` gives the
 * datasets behind the lines; one with an empty label is not in the legend and has no tooltip.
 */
export function logChart(
  lines: readonly LogLine[],
  axes: LogAxes,
  behind: (frame: Frame) => LogDataset[] = () => [],
): LogChart {
  const points = lines.flatMap((line) => line.points);
  const frame = frameOf(
    points.map(({ y }) => y).filter((y) => y > 0),
    axes.headroom,
  );
  return {
    type: 'lineWithErrorBars',
    data: { datasets: [...lines.map(dataset), ...behind(frame)] },
    options: {
      scales: {
        x: placeAxis(axes, axes.xTicks ?? [...new Set(points.map(({ x }) => x))]),
        // Wide intervals are cut off at the edge, so that they do not compress the medians.
        y: { ...logAxis(axes.y), ...frame },
      },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset: { label } }) => label !== '',
          callbacks: {
            title: ([item]) => axes.xText(item?.parsed.x ?? Number.NaN),
            label: ({ dataset: { label = '' }, raw }) => {
              const { y, yMin, yMax } = raw as Point;
              return pointText(label, axes.yText(y), yMin, yMax);
            },
          },
        },
      },
    },
    plugins: axes.markY === undefined ? [] : [markLine('y', axes.markY)],
  };
}

/** Limits of the axis: 1, 2 or 5 times a power of ten, at least a factor of 1.5 beyond all values. */
function frameOf(values: readonly number[], headroom = 1.5): Frame {
  if (values.length === 0) return { min: 0.1, max: 10 };
  const [low, high] = [least(values) / 1.5, greatest(values) * headroom];
  const below = 10 ** Math.floor(Math.log10(low));
  const above = 10 ** Math.floor(Math.log10(high));
  const min = [5, 2, 1].find((step) => step * below <= low) ?? 1;
  const max = [1, 2, 5, 10].find((step) => step * above >= high) ?? 10;
  return { min: min * below, max: max * above };
}

function dataset({ label, style, points }: LogLine): LogDataset {
  return {
    ...intervalLine(style),
    label,
    data: points
      .filter(({ y }) => y > 0)
      .map(({ x, y, low, high }) => ({
        x,
        y,
        // A logarithmic axis has no 0; an interval that reaches 0 extends far beyond the edge.
        yMin: Math.max(low ?? y, y / 1000),
        yMax: high ?? y,
      })),
  };
}

function logAxis(title: string) {
  const shown = (value: number): boolean => /^[125]e/.test(value.toExponential());
  const axis = logarithmicAxis(title, (value) => (shown(value) ? digits(value) : ''));
  return { ...axis, ticks: { ...axis.ticks, maxTicksLimit: 9 } };
}

/** The x axis, with ticks exactly at these positions. */
function placeAxis({ x: title, xText }: LogAxes, places: readonly number[]) {
  const axis = logarithmicAxis(title, xText);
  return {
    ...axis,
    ticks: { ...axis.ticks, maxTicksLimit: 9, autoSkip: true },
    afterBuildTicks: (scale: Frame & { ticks: { value: number }[] }) => {
      scale.ticks = places
        .filter((value) => value >= scale.min && value <= scale.max)
        .toSorted((a, b) => a - b)
        .map((value) => ({ value }));
    },
  };
}
