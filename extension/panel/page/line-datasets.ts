import type { Axis, ChartLine, LinesChart, LookName, Place } from '@cachescope/model/page/chart.ts';
import { downsample } from '@cachescope/model/statistics/downsample.ts';
import type { ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { intervalLine } from '../charts/interval-line.ts';
import { dashAt, palette } from '../charts/palette.ts';
import { token } from '../theme.ts';
import type { Frame } from './axes.ts';

/** Maximum number of points drawn for a line: about two per pixel. */
const maxPoints = 1600;
/** From this number of points on a line has no marks. */
const maxMarked = 40;
/** From this number of points on its marks are small. */
const maxLarge = 20;

export type Point = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
export type Dataset = ChartDataset<'lineWithErrorBars' | 'scatter', Point[]>;

/** True for a line that is too dense for marks. */
export function isDense({ points, form }: ChartLine): boolean {
  return points.length >= maxMarked && form !== 'marks' && form !== 'hollow';
}

/** The line itself. */
export function lineDataset(line: ChartLine, y: Axis): Dataset {
  const { label, look, dash = 0, form, points } = line;
  const style = { ...palette[look], dash: dashAt(dash) };
  const known = points.filter((point) => point.y === null || !y.isLogarithmic || point.y > 0);
  if (form === 'band' || isDense(line))
    return {
      ...thinLine(label, token(style.token), downsample(known, maxPoints)),
      borderDash: style.dash,
      pointStyle: form === 'band' ? 'line' : style.marker,
      pointHitRadius: 6,
      ...(form === 'band' && { borderWidth: 2 }),
    };
  return {
    ...intervalLine(style),
    label,
    showLine: !form,
    ...(form === 'hollow' && { backgroundColor: 'transparent', pointHitRadius: 0 }),
    ...(points.length > maxLarge && { pointRadius: 3 }),
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
export function thinLine(label: string, color: string, data: Point[]): Dataset {
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
export function faint(look: LookName, percent: number): string {
  return `color-mix(in srgb, ${token(palette[look].token)} ${percent}%, transparent)`;
}

/** The model of a line, inside the frame. */
export function modelDataset(
  look: LookName,
  places: readonly Place[],
  frame: Frame | null,
): Dataset {
  const inside = places.filter(({ y }) => !frame || (y >= frame.min && y <= frame.max));
  return { ...thinLine('', faint(look, 60), inside), borderDash: [4, 4] };
}

/** Single measurements, so that a bimodal distribution is visible; those outside the frame at its edge. */
export function singleDataset(
  { look, form }: ChartLine,
  places: readonly Place[],
  frame: Frame | null,
): Dataset {
  const stride = Math.ceil(places.length / maxPoints);
  const color = faint(look, form === 'marks' ? 45 : 25);
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

type Limit = NonNullable<LinesChart['limits']>[number];

/** A horizontal line from one end of the chart to the other. */
export function limitDataset({ name, value }: Limit, place: number, ends: readonly number[]) {
  const color = token(place === 0 ? '--sys-color-error-bright' : '--sys-color-on-surface-subtle');
  const data = ends.map((x) => ({ x, y: value }));
  return { ...thinLine(name, color, data), borderDash: [2, 4 + 3 * place] };
}

/** Moments are drawn by a plugin; this adds their name to the legend. */
export function legendOnly(name: string): Dataset {
  return thinLine(name, token('--sys-color-on-surface-subtle'), []);
}
