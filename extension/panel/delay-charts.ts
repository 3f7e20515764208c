import { type Coding, codingLabels } from '@cachescope/model/coding.ts';
import { digits, milliseconds } from '@cachescope/model/quantity.ts';
import { type Sample, usable } from '@cachescope/model/sample.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep-summary.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { armStyles } from './arm-style.ts';
import { linearAxis } from './chart-theme.ts';
import { token } from './theme.ts';

/** Most raw samples drawn for one arm; more would only make a block of colour. */
const mostDots = 4000;

type DelayChart = ChartConfiguration<'lineWithErrorBars' | 'scatter', DelayPoint[]>;
type DelayDataset = ChartDataset<'lineWithErrorBars' | 'scatter', DelayPoint[]>;
type DelayPoint = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;

/** A value over the measured delay; without an interval its bar has no length. */
interface Measurement {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

/** Read time against measured delay: a line an arm, 95 % intervals, raw samples behind. */
export function readTimeChart(summary: SweepSummary, samples: readonly Sample[]): DelayChart {
  const points = slowPoints(summary);
  const lines = summary.fits.map(({ arm }) =>
    line(
      arm,
      points.map((point) => [
        point,
        asMeasurement(point.arms.find((candidate) => candidate.arm === arm)),
      ]),
    ),
  );
  const dots = summary.fits.map(({ arm }) => rawSamples(arm, points, samples));
  const control = controlPoint(summary);
  const marks = (control?.arms ?? []).map((cell) =>
    controlMark(cell.arm, control, asMeasurement(cell)),
  );
  return delayChart([...lines, ...marks, ...dots], 'Read time, ms', false);
}

/** Gap against measured delay, with a line at 0: above it the arm is slower than the baseline. */
export function gapChart(summary: SweepSummary): DelayChart {
  const points = slowPoints(summary);
  const lines = (points[0]?.gaps ?? []).map(({ arm, baseline }) =>
    line(
      arm,
      points.map((point) => [point, point.gaps.find((gap) => gap.arm === arm)]),
      `${codingLabels[arm]} − ${codingLabels[baseline]}`,
    ),
  );
  const control = controlPoint(summary);
  const marks = (control?.gaps ?? []).map((gap) => controlMark(gap.arm, control, gap));
  return delayChart([...lines, ...marks], 'Gap, ms', true);
}

/** The cache on ordinary storage; its reads are no part of the lines, which are about the slow device. */
function controlPoint(summary: SweepSummary): SweepPoint | undefined {
  return summary.points.find((point) => point.storage === 'none' && point.measuredDelayMs);
}

/** A hollow mark with its interval, without a line. */
function controlMark(
  arm: Coding,
  control: SweepPoint | undefined,
  value: Measurement | undefined,
): DelayDataset {
  const mark = line(arm, control ? [[control, value]] : [], '');
  return { ...mark, showLine: false, backgroundColor: 'transparent', pointHitRadius: 0 };
}

/** By rising measured delay, which need not be the order of the requested one. */
function slowPoints(summary: SweepSummary): SweepPoint[] {
  return summary.points
    .filter((point) => point.storage !== 'none' && point.measuredDelayMs)
    .toSorted((a, b) => (a.measuredDelayMs?.p50 ?? 0) - (b.measuredDelayMs?.p50 ?? 0));
}

function asMeasurement(cell: SweepPoint['arms'][number] | undefined): Measurement | undefined {
  return cell && { ms: cell.medianMs, lowMs: cell.lowMs, highMs: cell.highMs };
}

function line(
  arm: Coding,
  measurements: readonly (readonly [SweepPoint, Measurement | undefined])[],
  label: string = codingLabels[arm],
): DelayDataset {
  const color = token(armStyles[arm].token);
  return {
    type: 'lineWithErrorBars',
    label,
    data: measurements.flatMap(([point, value]) => {
      const x = point.measuredDelayMs?.p50;
      if (x === undefined || !value || value.ms === null) return [];
      return [{ x, y: value.ms, yMin: value.lowMs ?? value.ms, yMax: value.highMs ?? value.ms }];
    }),
    borderColor: color,
    backgroundColor: color,
    borderWidth: 2,
    pointStyle: armStyles[arm].marker,
    pointRadius: 5,
    pointHoverRadius: 6,
    errorBarColor: { v: [color] },
    errorBarWhiskerColor: { v: [color] },
    errorBarLineWidth: { v: [1.5] },
    errorBarWhiskerLineWidth: { v: [1.5] },
    errorBarWhiskerSize: { v: [9] },
    errorBarWhiskerRatio: { v: [0] },
  };
}

function rawSamples(
  arm: Coding,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): DelayDataset {
  const delays = new Map(
    points.map((point) => [point.requestedDelayMs, point.measuredDelayMs?.p50]),
  );
  const own = usable(samples).filter(({ cell }) => cell.arm === arm && cell.storage !== 'none');
  const stride = Math.ceil(own.length / mostDots);
  const color = `color-mix(in srgb, ${token(armStyles[arm].token)} 28%, transparent)`;
  return {
    type: 'scatter',
    label: '',
    data: own.flatMap(({ cell, readMs }, index) => {
      const x = delays.get(cell.delayMs);
      return x === undefined || index % stride !== 0 ? [] : [{ x, y: readMs }];
    }),
    pointStyle: armStyles[arm].marker,
    pointRadius: 2.5,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}

function delayChart(datasets: DelayDataset[], title: string, zeroLine: boolean): DelayChart {
  return {
    type: 'lineWithErrorBars',
    data: { datasets },
    options: {
      scales: {
        x: linearAxis('Measured read delay of the device, ms'),
        y: linearAxis(title, { zeroLine }),
      },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset }) => dataset.label !== '',
          callbacks: {
            title: ([item]) => `${milliseconds(item?.parsed.x ?? null)} measured delay`,
            label: ({ dataset, raw }) => valueText(dataset.label ?? '', raw as DelayPoint),
          },
        },
      },
    },
  };
}

function valueText(label: string, { y, yMin, yMax }: DelayPoint): string {
  const value = `${label}: ${milliseconds(y)}`;
  if (typeof yMin !== 'number' || typeof yMax !== 'number' || yMin === yMax) return value;
  return `${value} (${digits(yMin)} to ${digits(yMax)})`;
}
