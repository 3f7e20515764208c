import { greatest, least } from '@cachescope/model/extremes.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import type { TransferCurve } from '@cachescope/model/transfer/curve.ts';
import {
  protocolLabels,
  type TransferProtocol,
  type TransferSample,
  usableTransfers,
} from '@cachescope/model/transfer/sample.ts';
import { sizeText } from '@cachescope/model/transfer/words.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { pointText } from '../../charts/interval-text.ts';
import { logarithmicAxis } from '../../charts/logarithmic-axis.ts';
import { token } from '../../theme.ts';
import { type Look, palette } from '../../charts/palette.ts';
import { intervalLine } from '../../charts/interval-line.ts';

type SizePoint = { x: number; y: number } & Partial<IErrorBarXYDataPoint>;
type SizeChart = ChartConfiguration<'lineWithErrorBars' | 'scatter', SizePoint[]>;
type SizeDataset = ChartDataset<'lineWithErrorBars' | 'scatter', SizePoint[]>;

/** Colour and marker of each protocol, so that they are never distinguished by colour alone. */
const styles: Readonly<Record<TransferProtocol, Look>> = {
  h1: palette.blue,
  'h1-tls': palette.green,
  h2: palette.orange,
};

/** Tick labels of the size axis, bytes. */
const namedSizes = [100, 1e3, 1e4, 35e3, 1e5, 3e5, 1e6, 2e6, 1e7];
/** Maximum number of single requests drawn for one protocol. */
const mostDots = 1500;

/**
 * Time against size, both on logarithmic axes: one line for each protocol, 95 % intervals, and single requests behind.
 * For a curve that departs from the trend of its smaller sizes, the trend is a dashed line. `samples` are those of
 * these curves.
 */
export function transferChart(
  curves: readonly TransferCurve[],
  samples: readonly TransferSample[],
): SizeChart {
  const frame = frameOf(curves);
  return {
    type: 'lineWithErrorBars',
    data: {
      datasets: [
        ...curves.map((curve) => measuredLine(curve, frame)),
        ...curves.flatMap((curve) => trendLine(curve, frame)),
        ...curves.map(({ protocol }) => dots(protocol, samples, frame)),
      ],
    },
    options: {
      scales: { x: sizeAxis(), y: { ...logarithmicAxis('Time, ms'), ...frame } },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          filter: ({ dataset }) => dataset.label !== '',
          callbacks: {
            title: ([item]) => sizeText(item?.parsed.x ?? 0),
            label: ({ dataset, raw }) => {
              const { y, yMin, yMax } = raw as SizePoint;
              return pointText(dataset.label ?? '', milliseconds(y), yMin, yMax);
            },
          },
        },
      },
    },
  };
}

/**
 * Range of the time axis, ms. An interval may reach below 0, which a logarithmic axis cannot show: whiskers end at this
 * range.
 */
interface Frame {
  min: number;
  max: number;
}

function frameOf(curves: readonly TransferCurve[]): Frame {
  const medians = curves.flatMap(({ points }) => points.flatMap(({ medianMs }) => medianMs ?? []));
  if (medians.length === 0) return { min: 0.1, max: 10 };
  return {
    min: rounded(least(medians) / 1.5, Math.floor),
    max: rounded(3 * greatest(medians), Math.ceil),
  };
}

/** Rounds to one significant digit, so that the ends of the axis have tick labels. */
function rounded(value: number, round: (digit: number) => number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return round(value / power) * power;
}

function measuredLine({ protocol, points }: TransferCurve, frame: Frame): SizeDataset {
  return {
    ...intervalLine(styles[protocol]),
    label: protocolLabels[protocol],
    data: points.flatMap(({ cell, medianMs, lowMs, highMs }) =>
      medianMs === null
        ? []
        : [
            {
              x: cell.responseBytes,
              y: medianMs,
              yMin: Math.max(lowMs ?? medianMs, frame.min),
              yMax: Math.min(highMs ?? medianMs, frame.max),
            },
          ],
    ),
  };
}

/** The trend of the smaller sizes, extended to all sizes; only for a curve that departs from it. */
function trendLine({ protocol, points, change }: TransferCurve, frame: Frame): SizeDataset[] {
  const { trend, found } = change;
  if (trend === null || found !== 'departs') return [];
  const color = `color-mix(in srgb, ${token(styles[protocol].token)} 60%, transparent)`;
  const data = points
    .map(({ cell }) => cell.responseBytes)
    .map((bytes) => ({ x: bytes, y: trend.baseMs + trend.msPerByte * bytes }))
    .filter(({ y }) => y >= frame.min && y <= frame.max);
  return [
    {
      type: 'scatter',
      label: '',
      data,
      showLine: true,
      borderColor: color,
      borderDash: [4, 4],
      borderWidth: 1.5,
      pointRadius: 0,
      pointHitRadius: 0,
    },
  ];
}

/** Single requests, so that a bimodal distribution is visible. */
function dots(
  protocol: TransferProtocol,
  samples: readonly TransferSample[],
  { min, max }: Frame,
): SizeDataset {
  const own = usableTransfers(samples).filter(({ cell }) => cell.protocol === protocol);
  const stride = Math.ceil(own.length / mostDots);
  const color = `color-mix(in srgb, ${token(styles[protocol].token)} 20%, transparent)`;
  return {
    type: 'scatter',
    label: '',
    data: own
      .filter(({ totalMs }, index) => index % stride === 0 && totalMs >= min && totalMs <= max)
      .map(({ cell, totalMs }) => ({ x: cell.responseBytes, y: totalMs })),
    pointStyle: styles[protocol].marker,
    pointRadius: 2,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}

function sizeAxis() {
  const axis = logarithmicAxis('Size of the response body', sizeText);
  return {
    ...axis,
    ticks: { ...axis.ticks, maxTicksLimit: namedSizes.length },
    afterBuildTicks: (axis: { min: number; max: number; ticks: { value: number }[] }) => {
      axis.ticks = namedSizes
        .filter((value) => value >= axis.min && value <= axis.max)
        .map((value) => ({ value }));
    },
  };
}
