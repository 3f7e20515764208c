import { greatest } from '@cachescope/model/extremes.ts';
import type { ComparedPair, ComparedReadings } from '@cachescope/model/compare/run.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { densityOf } from '@cachescope/model/statistics/density.ts';
import { flagOutliers } from '@cachescope/model/statistics/outliers.ts';
import { median, quantile } from '@cachescope/model/statistics/quantile.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { linearAxis } from './chart-theme.ts';
import type { LineLook } from './palette.ts';
import { token } from '../theme.ts';

type Point = { x: number; y: number };
type Distribution = ChartConfiguration<'scatter', Point[]>;
type Layer = ChartDataset<'scatter', Point[]>;

/** Maximum number of samples drawn for one side; with more samples every n-th one is drawn. */
const mostDots = 1500;

/** The row of a side has height 1: the density is above its baseline, box and samples are below. */
const densityTop = 0.5;
const boxAt = -0.09;
const dotsAt = -0.17;
const dotsDeep = 0.24;

/** One side of the chart. */
interface Row {
  readings: ComparedReadings;
  name: string;
  style: LineLook;
  /** Position of its baseline. */
  y: number;
}

/** Two groups of samples, one above the other: density, median with interquartile range, and each sample. */
export function distributionChart(
  { against, of }: Pick<ComparedPair, 'against' | 'of'>,
  names: { against: string; of: string },
  [againstStyle, ofStyle]: readonly [against: LineLook, of: LineLook],
  title: string,
  unit: string,
): Distribution {
  const rows: Row[] = [
    { readings: against, name: names.against, style: againstStyle, y: 1 },
    { readings: of, name: names.of, style: ofStyle, y: 0 },
  ];
  const densities = rows.map(({ readings: { values } }) => densityOf(values));
  const highest = greatest(densities.map((found) => Math.max(0, ...(found?.density ?? []))));
  const datasets = rows.flatMap((row, index) => [
    densityLayer(row, densities[index] ?? null, highest),
    boxLayer(row),
    medianLayer(row, unit),
    ...readingLayers(row),
  ]);
  return {
    type: 'scatter',
    data: { datasets },
    options: {
      scales: {
        x: {
          ...linearAxis(title),
          beginAtZero: false,
          grace: '2%',
          // The foot of a density reaches below all values; none is below 0.
          afterDataLimits: (axis) => {
            axis.min = Math.max(0, axis.min);
          },
        },
        y: { display: false, min: -0.5, max: 1.6 },
      },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset }) => dataset.label !== '',
          callbacks: {
            label: ({ dataset, parsed }) => `${dataset.label}: median ${digits(parsed.x)} ${unit}`,
          },
        },
      },
    },
  };
}

function plain(color: string): Omit<Layer, 'data'> {
  return {
    label: '',
    showLine: false,
    pointRadius: 0,
    pointHitRadius: 0,
    borderColor: color,
    backgroundColor: color,
  };
}

function densityLayer(
  { style, y }: Row,
  found: ReturnType<typeof densityOf>,
  highest: number,
): Layer {
  const data = (found?.at ?? []).map((x, index) => ({
    x,
    y: y + (densityTop * (found?.density[index] ?? 0)) / highest,
  }));
  return {
    ...plain(token(style.token)),
    data,
    showLine: true,
    borderDash: style.dash,
    borderWidth: 1.5,
  };
}

/** The interquartile range of the samples, as a bar. */
function boxLayer({ readings: { values }, style, y }: Row): Layer {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  const ends = low === null || high === null ? [] : [low, high];
  return {
    ...plain(`color-mix(in srgb, ${token(style.token)} 45%, transparent)`),
    data: ends.map((x) => ({ x, y: y + boxAt })),
    showLine: true,
    borderWidth: 10,
  };
}

function medianLayer({ readings: { values }, name, style, y }: Row, unit: string): Layer {
  const middle = median(values);
  const color = token(style.token);
  return {
    ...plain(color),
    label: `${name}, ${digits(middle)} ${unit}`,
    data: middle === null ? [] : [{ x: middle, y: y + boxAt }],
    pointStyle: style.marker,
    pointRadius: 6,
    pointHoverRadius: 7,
    pointHitRadius: 6,
    borderColor: token('--sys-color-cdt-base-container'),
    borderWidth: 1.5,
  };
}

/** Each sample as a faint mark; outliers are hollow and always drawn. */
function readingLayers({ readings: { values }, style, y }: Row): Layer[] {
  const color = token(style.token);
  const faint = `color-mix(in srgb, ${color} 40%, transparent)`;
  const flags = flagOutliers(values)?.flags ?? [];
  const stride = Math.ceil(values.length / mostDots);
  const shown = values.flatMap((x, index) => {
    const isOutlier = flags[index] !== 'inside';
    if (index % stride !== 0 && !isOutlier) return [];
    return [{ isOutlier, point: { x, y: y + dotsAt - dotsDeep * scatter(index) } }];
  });
  const of = (outliers: boolean): Point[] =>
    shown.filter(({ isOutlier }) => isOutlier === outliers).map(({ point }) => point);
  const dots = { pointStyle: style.marker, pointRadius: 2.5, backgroundColor: faint };
  return [
    { ...plain(faint), ...dots, data: of(false) },
    { ...plain(color), ...dots, data: of(true), pointRadius: 4, backgroundColor: 'transparent' },
  ];
}

/** Spreads neighbours evenly over 0 to 1 (multiples of the golden ratio); the same for every drawing. */
function scatter(index: number): number {
  return (index * 0.618_033_988_75) % 1;
}
