import type { Axis, ChartLine, LinesChart } from '@cachescope/model/page/chart.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration } from 'chart.js';
import { pointText } from '../charts/interval-text.ts';
import { markLine } from '../charts/mark-line.ts';
import { momentMarks } from '../charts/moment-marks.ts';
import { type ShadedArea, shadedAreas } from '../charts/shaded-areas.ts';
import { type Frame, frameOf, framedAxis, placeAxis, rangeAxis } from './axes.ts';
import {
  type Dataset,
  faint,
  isDense,
  legendOnly,
  limitDataset,
  lineDataset,
  modelDataset,
  type Point,
  singleDataset,
} from './line-datasets.ts';

type Configuration = ChartConfiguration<'lineWithErrorBars' | 'scatter', Point[]>;

/** Height of a chart, pixels. */
export function linesPx({ beneath = [] }: LinesChart): number {
  return 360 + 110 * beneath.length;
}

/**
 * Lines with intervals; models and single measurements are behind them. A dataset with an empty label is not in the
 * legend and has no tooltip.
 */
export function linesConfiguration(chart: LinesChart): Configuration {
  const { x, y, lines, moments, beneath = [] } = chart;
  const points = lines.flatMap((line) => line.points);
  const frame = verticalFrame(y, lines);
  const places = points.map((point) => point.x);
  const ends = x.range ?? [Math.min(...places), Math.max(...places)];
  const strips = beneath.map((strip, place) => ({ ...strip, id: `y${place + 1}` }));
  const axes: Readonly<Record<string, Axis>> = {
    y,
    ...Object.fromEntries(strips.map((strip) => [strip.id, strip.y])),
  };
  return {
    type: 'lineWithErrorBars',
    data: {
      datasets: [
        ...datasetsOf(chart, frame, ends).map((each): Dataset => ({ ...each, yAxisID: 'y' })),
        ...strips.flatMap((strip) =>
          strip.lines.map((line): Dataset => ({
            ...lineDataset(line, strip.y),
            yAxisID: strip.id,
          })),
        ),
      ],
    },
    options: {
      scales: {
        x: x.isLogarithmic ? placeAxis(x, places) : rangeAxis(x),
        // The first of stacked axes is the lowest.
        ...Object.fromEntries(
          strips.toReversed().map(({ id, y: own }) => [id, stripAxis(own, stacked(strips, 1))]),
        ),
        // Wide intervals are cut off at the edge, so that they do not compress the values.
        y: { ...(y.isLogarithmic ? framedAxis(y) : rangeAxis(y)), ...frame, ...stacked(strips, 3) },
      },
      ...(lines.some(isDense) && {
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
      }),
      plugins: {
        legend: {
          labels: {
            filter: ({ text, datasetIndex = 0 }, { datasets }) =>
              text !== '' && (datasets[datasetIndex] as Dataset).yAxisID === 'y',
          },
        },
        tooltip: {
          filter: ({ dataset: { label } }) => label !== '',
          callbacks: {
            title: ([item]) => (item ? x.text(item.parsed.x ?? Number.NaN) : ''),
            label: ({ dataset, raw }) => {
              const { label = '', yAxisID = 'y' } = dataset as Dataset;
              const { y: value, yMin, yMax } = raw as Point;
              const text = axes[yAxisID]?.text(value);
              return pointText(label, Number.isNaN(value) ? unknownText : `${text}`, yMin, yMax);
            },
          },
        },
      },
    },
    plugins: [
      shadedAreas([...axisBand(x, ends), ...lines.flatMap(lineBand)]),
      ...(y.mark === undefined ? [] : [markLine('y', y.mark)]),
      ...(x.mark === undefined ? [] : [markLine('x', x.mark)]),
      ...(moments ? [momentMarks(moments.places)] : []),
    ],
  };
}

/** Lines; behind them models, single measurements and limits. */
function datasetsOf(
  { y, lines, moments, limits = [] }: LinesChart,
  frame: Frame | null,
  ends: readonly number[],
): Dataset[] {
  return [
    ...lines.map((line) => lineDataset(line, y)),
    ...lines.flatMap(({ look, model }) => (model ? [modelDataset(look, model, frame)] : [])),
    ...lines.flatMap((line) => (line.single ? [singleDataset(line, line.single, frame)] : [])),
    ...limits.map((limit, place) => limitDataset(limit, place, ends)),
    ...(moments && moments.places.length > 0 ? [legendOnly(moments.name)] : []),
  ];
}

/** The limits of the vertical axis where they are set: single measurements beyond them are drawn at the edge. */
function verticalFrame(y: Axis, lines: readonly ChartLine[]): Frame | null {
  if (y.isLogarithmic) {
    const values = lines.flatMap(({ points }) => points.flatMap((point) => point.y ?? []));
    return frameOf(values, y);
  }
  return y.range ? { min: y.range[0], max: y.range[1] } : null;
}

/** Vertical axes one below the other, with this share of the height. */
function stacked(strips: readonly unknown[], stackWeight: number) {
  return strips.length > 0 ? { stack: 'strips', stackWeight } : {};
}

/** The label at the top would be on that of the axis above. */
function stripAxis(y: Axis, place: object) {
  const { ticks, ...axis } = rangeAxis(y);
  const callback = (value: number | string, index: number, all: readonly unknown[]) =>
    index === all.length - 1 ? '' : value;
  return { ...axis, ...place, ticks: { ...ticks, maxTicksLimit: 3, callback } };
}

function axisBand({ band }: Axis, ends: readonly number[]): ShadedArea[] {
  if (!band) return [];
  const [first = band.low, last = band.high] = ends;
  const edges = [Math.max(band.low, first), Math.min(band.high, last)];
  return [
    {
      color: faint('neutral', 22),
      axis: 'y',
      edges: edges.map((x) => ({ x, low: null, high: null })),
    },
  ];
}

function lineBand({ form, look, points }: ChartLine): ShadedArea[] {
  if (form !== 'band') return [];
  const known = points.flatMap(({ x, low, high }) =>
    typeof low === 'number' && typeof high === 'number' ? [{ x, low, high }] : [],
  );
  return known.length === 0 ? [] : [{ color: faint(look, 18), axis: 'y', edges: known }];
}
