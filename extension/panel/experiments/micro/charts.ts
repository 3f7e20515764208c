import { greatest, least } from '@cachescope/model/extremes.ts';
import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { pointText } from '../../charts/interval-text.ts';
import { logarithmicAxis } from '../../charts/logarithmic-axis.ts';
import type { Look } from '../../charts/palette.ts';
import { intervalLine } from '../../charts/interval-line.ts';
import { markLine } from '../../charts/mark-line.ts';

/** A value with its interval at an x position; `low` and `high` are null when the interval is unknown. */
export interface LinePoint {
  x: number;
  y: number;
  low: number | null;
  high: number | null;
}

/** One line of a chart. */
export interface MicroLine {
  label: string;
  style: Look;
  points: LinePoint[];
}

/** Axes of a chart. */
export interface MicroAxes {
  x: string;
  y: string;
  /** Formats an x position. */
  xText: (x: number) => string;
  /** Formats a value with its unit. */
  yText: (y: number | null) => string;
  /** A value marked by a dashed horizontal line; the caption explains it. */
  markY?: number;
}

type Point = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
type MicroChart = ChartConfiguration<'lineWithErrorBars', Point[]>;

/** Lines with intervals on two logarithmic axes. Values not above 0 cannot be drawn and are left out. */
export function logChart(lines: readonly MicroLine[], axes: MicroAxes): MicroChart {
  const places = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))];
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y > 0);
  return {
    type: 'lineWithErrorBars',
    data: { datasets: lines.map(dataset) },
    options: {
      scales: {
        x: placeAxis(axes, places),
        // Wide intervals are cut off at the edge, so that they do not compress the medians.
        y: { ...logAxis(axes.y), ...edges(values) },
      },
      plugins: {
        tooltip: {
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
function edges(values: readonly number[]): { min: number; max: number } {
  const [low, high] = [least(values) / 1.5, greatest(values) * 1.5];
  const below = 10 ** Math.floor(Math.log10(low));
  const above = 10 ** Math.floor(Math.log10(high));
  const min = [5, 2, 1].find((step) => step * below <= low) ?? 1;
  const max = [1, 2, 5, 10].find((step) => step * above >= high) ?? 10;
  return { min: min * below, max: max * above };
}

function dataset({ label, style, points }: MicroLine): ChartDataset<'lineWithErrorBars', Point[]> {
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

/** The x axis, with ticks exactly at the measured positions. */
function placeAxis({ x: title, xText }: MicroAxes, places: readonly number[]) {
  const axis = logarithmicAxis(title, xText);
  return {
    ...axis,
    ticks: { ...axis.ticks, maxTicksLimit: 9, autoSkip: true },
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = places.toSorted((a, b) => a - b).map((value) => ({ value }));
    },
  };
}

/** An x axis of sizes. */
export const sizeAxis = { x: 'Size of the resource', xText: byteSize };
