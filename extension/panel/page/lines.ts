import { greatest, least } from '@cachescope/model/extremes.ts';
import type { Axis, ChartLine, LinesChart, LookName, Place } from '@cachescope/model/page/chart.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { downsample } from '@cachescope/model/statistics/downsample.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { roundDown, roundUp } from '../charts/axis-rounding.ts';
import { linearAxis } from '../charts/chart-theme.ts';
import { intervalLine } from '../charts/interval-line.ts';
import { pointText } from '../charts/interval-text.ts';
import { logarithmicAxis } from '../charts/logarithmic-axis.ts';
import { markLine } from '../charts/mark-line.ts';
import { momentMarks } from '../charts/moment-marks.ts';
import { dashAt, palette } from '../charts/palette.ts';
import { token } from '../theme.ts';

/** Maximum number of points drawn for a line: about two per pixel. */
const maxPoints = 1600;
/** From this number of points on a line has no marks. */
const maxMarked = 40;

type Point = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
type Dataset = ChartDataset<'lineWithErrorBars' | 'scatter', Point[]>;
type Configuration = ChartConfiguration<'lineWithErrorBars' | 'scatter', Point[]>;

/** Limits of the vertical axis. */
interface Frame {
  min: number;
  max: number;
}

/**
 * Lines with intervals; models and single measurements are behind them. A dataset with an empty label is not in the
 * legend and has no tooltip.
 */
export function linesConfiguration({ x, y, lines, moments, limit }: LinesChart): Configuration {
  const points = lines.flatMap((line) => line.points);
  const frame = y.isLogarithmic
    ? frameOf(
        points.flatMap((point) => point.y ?? []),
        y,
      )
    : null;
  const isDense = lines.some((line) => line.points.length >= maxMarked);
  const places = points.map((point) => point.x);
  const ends = [Math.min(...places), Math.max(...places)];
  return {
    type: 'lineWithErrorBars',
    data: {
      datasets: [
        ...lines.map((line) => lineDataset(line, y)),
        ...lines.flatMap(({ look, model }) => (model ? [modelDataset(look, model, frame)] : [])),
        ...lines.flatMap(({ look, single }) =>
          single ? [singleDataset(look, single, frame)] : [],
        ),
        ...(limit ? [limitDataset(limit, ends)] : []),
        ...(moments && moments.places.length > 0 ? [legendOnly(moments.name)] : []),
      ],
    },
    options: {
      scales: {
        x: x.isLogarithmic ? placeAxis(x, places) : rangeAxis(x),
        // Wide intervals are cut off at the edge, so that they do not compress the values.
        y: frame ? { ...framedAxis(y), ...frame } : rangeAxis(y),
      },
      ...(isDense && { interaction: { mode: 'nearest', axis: 'x', intersect: false } }),
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset: { label } }) => label !== '',
          callbacks: {
            title: ([item]) => (item ? x.text(item.parsed.x ?? Number.NaN) : ''),
            label: ({ dataset: { label = '' }, raw }) => {
              const { y: value, yMin, yMax } = raw as Point;
              return pointText(
                label,
                Number.isNaN(value) ? unknownText : y.text(value),
                yMin,
                yMax,
              );
            },
          },
        },
      },
    },
    plugins: [
      ...(y.mark === undefined ? [] : [markLine('y', y.mark)]),
      ...(x.mark === undefined ? [] : [markLine('x', x.mark)]),
      ...(moments ? [momentMarks(moments.places)] : []),
    ],
  };
}

function lineDataset({ label, look, dash = 0, points }: ChartLine, y: Axis): Dataset {
  const style = { ...palette[look], dash: dashAt(dash) };
  const known = points.filter((point) => point.y === null || !y.isLogarithmic || point.y > 0);
  if (points.length >= maxMarked)
    return {
      ...thinLine(label, token(style.token), downsample(known, maxPoints)),
      borderDash: style.dash,
      pointStyle: style.marker,
      pointHitRadius: 6,
    };
  return {
    ...intervalLine(style),
    label,
    data: known.flatMap(({ x, y: value, low, high }): Point[] => {
      if (value === null) return [];
      if (typeof low !== 'number' || typeof high !== 'number') return [{ x, y: value }];
      // A logarithmic axis has no 0; an interval that reaches 0 extends far beyond the edge.
      const yMin = y.isLogarithmic ? Math.max(low, value / 1000) : low;
      return [{ x, y: value, yMin, yMax: high }];
    }),
  };
}

/** A line without marks. */
function thinLine(label: string, color: string, data: Point[]): Dataset {
  return {
    type: 'scatter',
    label,
    data,
    showLine: true,
    borderColor: color,
    backgroundColor: color,
    borderWidth: 1.5,
    pointStyle: 'line',
    pointRadius: 0,
    pointHitRadius: 0,
  };
}

/** The colour of a series, mixed with the background. */
function faint(look: LookName, percent: number): string {
  return `color-mix(in srgb, ${token(palette[look].token)} ${percent}%, transparent)`;
}

function modelDataset(look: LookName, places: readonly Place[], frame: Frame | null): Dataset {
  const inside = places.filter(({ y }) => !frame || (y >= frame.min && y <= frame.max));
  return { ...thinLine('', faint(look, 60), inside), borderDash: [4, 4] };
}

/** Single measurements, so that a bimodal distribution is visible; those outside the frame at its edge. */
function singleDataset(look: LookName, places: readonly Place[], frame: Frame | null): Dataset {
  const stride = Math.ceil(places.length / maxPoints);
  const color = faint(look, 20);
  return {
    type: 'scatter',
    label: '',
    data: places
      .filter((_, index) => index % stride === 0)
      .map(({ x, y }) => ({ x, y: frame ? Math.min(Math.max(y, frame.min), frame.max) : y })),
    pointStyle: palette[look].marker,
    pointRadius: 2,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}

type Limit = NonNullable<LinesChart['limit']>;

function limitDataset({ name, value }: Limit, ends: readonly number[]): Dataset {
  const color = token('--sys-color-error-bright');
  const data = ends.map((x) => ({ x, y: value }));
  return { ...thinLine(name, color, data), borderDash: [2, 4] };
}

/** Moments are drawn by a plugin; this adds their name to the legend. */
function legendOnly(name: string): Dataset {
  return thinLine(name, token('--sys-color-on-surface-subtle'), []);
}

/** Limits of a logarithmic axis: 1, 2 or 5 times a power of ten, at least a factor of 1.5 beyond all values. */
function frameOf(values: readonly number[], { headroom = 1.5 }: Axis): Frame {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return { min: 0.1, max: 10 };
  return { min: roundDown(least(positive) / 1.5), max: roundUp(greatest(positive) * headroom) };
}

/** A vertical logarithmic axis with ticks at 1, 2 and 5 times a power of ten. */
function framedAxis({ title }: Axis) {
  const isShown = (value: number): boolean => /^[125]e/.test(value.toExponential());
  const axis = logarithmicAxis(title, (value) => (isShown(value) ? digits(value) : ''));
  return { ...axis, ticks: { ...axis.ticks, maxTicksLimit: 9 } };
}

/** A linear axis. One with a range ends exactly there, without a tick for the fraction at its end. */
function rangeAxis({ title, range }: Axis) {
  const axis = linearAxis(title);
  if (!range) return axis;
  const [min, max] = range;
  return { ...axis, beginAtZero: false, min, max, ticks: { ...axis.ticks, includeBounds: false } };
}

/** A horizontal logarithmic axis with ticks exactly at these positions. */
function placeAxis({ title, text, ticks }: Axis, places: readonly number[]) {
  const axis = logarithmicAxis(title, text);
  const wanted = ticks ?? [...new Set(places)];
  return {
    ...axis,
    ticks: { ...axis.ticks, maxTicksLimit: 9, autoSkip: true },
    afterBuildTicks: (scale: Frame & { ticks: { value: number }[] }) => {
      scale.ticks = wanted
        .filter((value) => value >= scale.min && value <= scale.max)
        .toSorted((a, b) => a - b)
        .map((value) => ({ value }));
    },
  };
}
