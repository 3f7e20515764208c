import { milliseconds } from '@cachescope/model/quantity.ts';
import type { TransferCurve, TransferPoint } from '@cachescope/model/transfer/curve.ts';
import {
  protocolLabels,
  type TransferProtocol,
  type TransferSample,
  usableTransfers,
} from '@cachescope/model/transfer/sample.ts';
import { sizeText } from '@cachescope/model/transfer/words.ts';
import {
  type Frame,
  type LinePoint,
  type LogChart,
  logChart,
  type LogDataset,
} from '../../charts/log-chart.ts';
import { type Look, palette } from '../../charts/palette.ts';
import { token } from '../../theme.ts';

/** Colour and marker of each protocol, so that they are never distinguished by colour alone. */
const styles: Readonly<Record<TransferProtocol, Look>> = {
  h1: palette.blue,
  'h1-tls': palette.green,
  h2: palette.orange,
};

const axes = {
  x: 'Size of the response body',
  y: 'Time, ms',
  xText: sizeText,
  yText: milliseconds,
  xTicks: [100, 1e3, 1e4, 35e3, 1e5, 3e5, 1e6, 2e6, 1e7],
  // Room for single requests above the medians.
  headroom: 3,
};
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
): LogChart {
  const lines = curves.map(({ protocol, points }) => ({
    label: protocolLabels[protocol],
    style: styles[protocol],
    points: points.flatMap(linePoint),
  }));
  return logChart(lines, axes, (frame) => [
    ...curves.flatMap((curve) => trendLine(curve, frame)),
    ...curves.map(({ protocol }) => dots(protocol, samples, frame)),
  ]);
}

function linePoint({ cell, medianMs, lowMs: low, highMs: high }: TransferPoint): LinePoint[] {
  return medianMs === null ? [] : [{ x: cell.responseBytes, y: medianMs, low, high }];
}

/** The color of a protocol, mixed with the background. */
function faint(protocol: TransferProtocol, share: string): string {
  return `color-mix(in srgb, ${token(styles[protocol].token)} ${share}, transparent)`;
}

/** The trend of the smaller sizes, extended to all sizes; only for a curve that departs from it. */
function trendLine({ protocol, points, change }: TransferCurve, frame: Frame): LogDataset[] {
  const { trend, found } = change;
  if (trend === null || found !== 'departs') return [];
  const data = points
    .map(({ cell: { responseBytes: x } }) => ({ x, y: trend.baseMs + trend.msPerByte * x }))
    .filter(({ y }) => y >= frame.min && y <= frame.max);
  return [
    {
      type: 'scatter',
      label: '',
      data,
      showLine: true,
      borderColor: faint(protocol, '60%'),
      borderDash: [4, 4],
      borderWidth: 1.5,
      pointRadius: 0,
      pointHitRadius: 0,
    },
  ];
}

/** Single requests, so that a bimodal distribution is visible; those outside the frame at its edge. */
function dots(
  protocol: TransferProtocol,
  samples: readonly TransferSample[],
  { min, max }: Frame,
): LogDataset {
  const own = usableTransfers(samples).filter(({ cell }) => cell.protocol === protocol);
  const stride = Math.ceil(own.length / mostDots);
  const color = faint(protocol, '20%');
  return {
    type: 'scatter',
    label: '',
    data: own
      .filter((_, index) => index % stride === 0)
      .map(({ cell, totalMs }) => ({
        x: cell.responseBytes,
        y: Math.min(Math.max(totalMs, min), max),
      })),
    pointStyle: styles[protocol].marker,
    pointRadius: 2,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}
