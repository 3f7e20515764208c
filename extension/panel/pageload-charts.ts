import type { PageFigure } from '@cachescope/model/pageload-figure.ts';
import {
  type PageArm,
  pageArmLabels,
  pageArms,
  pageStateLabels,
  pageStates,
} from '@cachescope/model/pageload-load.ts';
import { digits, milliseconds } from '@cachescope/model/quantity.ts';
import { Chart, type ChartConfiguration, type ChartDataset, type Plugin } from 'chart.js';
import {
  BarWithErrorBar,
  BarWithErrorBarsController,
  type IErrorBarXDataPoint,
  type IErrorBarXYDataPoint,
} from 'chartjs-chart-error-bars';
import { linearAxis } from './chart-theme.ts';
import { armStyles, stateTokens } from './pageload-style.ts';
import { token } from './theme.ts';

Chart.register(BarWithErrorBarsController, BarWithErrorBar);

type BarPoint = Partial<IErrorBarXDataPoint> & { x: number; y: string };
type BarChart = ChartConfiguration<'barWithErrorBars', BarPoint[], string>;
type LinePoint = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
type LineChart = ChartConfiguration<'lineWithErrorBars', LinePoint[]>;

const axisTitle = 'Time to the load event, ms';

function whiskers(color: string) {
  return {
    errorBarColor: { v: [color] },
    errorBarWhiskerColor: { v: [color] },
    errorBarLineWidth: { v: [1.5] },
    errorBarWhiskerLineWidth: { v: [1.5] },
    errorBarWhiskerSize: { v: [9] },
    errorBarWhiskerRatio: { v: [0] },
  };
}

/** Load times at one delay: a bar a kind of load, an arm beside the other. */
export function loadTimeBars(figures: readonly PageFigure[]): BarChart {
  const states = pageStates.filter((state) => figures.some(({ cell }) => cell.state === state));
  return {
    type: 'barWithErrorBars',
    data: {
      labels: states.map((state) => pageStateLabels[state]),
      datasets: armsOf(figures).map((arm) => armBars(arm, figures)),
    },
    options: {
      indexAxis: 'y',
      // Room for the texts at the ends of the longest bars.
      layout: { padding: { right: 72 } },
      scales: {
        x: linearAxis(axisTitle),
        y: { grid: { display: false }, border: { display: false } },
      },
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataset: { label = '' }, raw }) => {
              const { x, xMin, xMax } = raw as BarPoint;
              return valueText(label, x, xMin, xMax);
            },
          },
        },
      },
    },
    plugins: [valuesAtEnds()],
  };
}

/** Writes each bar's value behind its whisker, so that no pointer is needed to read it. */
function valuesAtEnds(): Plugin<'barWithErrorBars'> {
  return {
    id: 'load-times',
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
          ctx.fillText(milliseconds(x), Math.max(end, bar.x) + 8, bar.y);
        }
      }
      ctx.restore();
    },
  };
}

function armsOf(figures: readonly PageFigure[]): PageArm[] {
  return pageArms.filter((arm) => figures.some(({ cell }) => cell.arm === arm));
}

function armBars(
  arm: PageArm,
  figures: readonly PageFigure[],
): ChartDataset<'barWithErrorBars', BarPoint[]> {
  const { token: color, marker } = armStyles[arm];
  const known = figures.filter(({ cell, loadMs }) => cell.arm === arm && loadMs !== null);
  return {
    type: 'barWithErrorBars',
    label: pageArmLabels[arm],
    data: known.map(({ cell, loadMs, lowMs, highMs }) => ({
      y: pageStateLabels[cell.state],
      x: loadMs ?? 0,
      ...(lowMs !== null && highMs !== null && { xMin: lowMs, xMax: highMs }),
    })),
    backgroundColor: token(color),
    borderColor: token(color),
    pointStyle: marker,
    maxBarThickness: 22,
    ...whiskers(token('--sys-color-on-surface')),
  };
}

/** Load times over the read delay: a line a kind of load and arm. */
export function loadTimeLines(figures: readonly PageFigure[]): LineChart {
  const groups = Map.groupBy(figures, ({ cell }) => `${cell.arm} ${cell.state}`);
  return {
    type: 'lineWithErrorBars',
    data: { datasets: [...groups.values()].flatMap(line) },
    options: {
      scales: {
        x: { ...linearAxis('Read delay of the device, ms') },
        y: linearAxis(axisTitle),
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => `${digits(item?.parsed.x ?? null)} ms of read delay`,
            label: ({ dataset: { label = '' }, raw }) => {
              const { y, yMin, yMax } = raw as LinePoint;
              return valueText(label, y, yMin, yMax);
            },
          },
        },
      },
    },
  };
}

function line(figures: readonly PageFigure[]): ChartDataset<'lineWithErrorBars', LinePoint[]>[] {
  const [first] = figures;
  if (!first) return [];
  const { arm, state } = first.cell;
  const color = token(stateTokens[state]);
  const { marker, dash } = armStyles[arm];
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  return [
    {
      type: 'lineWithErrorBars',
      label: `${pageStateLabels[state]}, ${pageArmLabels[arm].toLowerCase()}`,
      data: known.map(({ cell, loadMs, lowMs, highMs }) => ({
        x: cell.delayMs,
        y: loadMs ?? 0,
        ...(lowMs !== null && highMs !== null && { yMin: lowMs, yMax: highMs }),
      })),
      borderColor: color,
      backgroundColor: color,
      borderDash: dash,
      borderWidth: 2,
      pointStyle: marker,
      pointRadius: 5,
      ...whiskers(color),
    },
  ];
}

function valueText(label: string, value: number, low: unknown, high: unknown): string {
  const text = `${label}: ${milliseconds(value)}`;
  if (typeof low !== 'number' || typeof high !== 'number' || low === high) return text;
  return `${text} (${digits(low)} to ${digits(high)})`;
}
