import type { BarsChart, Chart, LinesChart, LookName } from '@cachescope/model/page/chart.ts';
import { inUnit } from '@cachescope/model/quantity.ts';
import { Chart as Drawn } from 'chart.js';
import { intervalBars, intervalBarsPx } from '../charts/interval-bars.ts';
import { type Frame, type LogChart, logChart, type LogDataset } from '../charts/log-chart.ts';
import type { Figure } from '../charts/figure.ts';
import { markLine } from '../charts/mark-line.ts';
import { palette } from '../charts/palette.ts';
import { token } from '../theme.ts';

const linesPx = 360;
/** Maximum number of single measurements drawn for a line. */
const mostSingle = 1500;

/** A declared chart. */
export function figureOf(chart: Chart): Figure {
  const { id, title, caption } = chart;
  return chart.kind === 'lines'
    ? { id, title, caption, heightPx: linesPx, draw: (canvas) => new Drawn(canvas, lines(chart)) }
    : {
        id,
        title,
        caption,
        heightPx: intervalBarsPx(chart.bars.length),
        draw: (canvas) => new Drawn(canvas, bars(chart)),
      };
}

/** Lines with intervals; their models and single measurements are behind them. */
function lines({ lines: own, x, y }: LinesChart): LogChart {
  return logChart(
    own.map(({ label, look, points }) => ({ label, style: palette[look], points: [...points] })),
    {
      x: x.title,
      y: y.title,
      xText: x.text,
      yText: (value) => (value === null ? inUnit(null) : y.text(value)),
      ...(x.ticks && { xTicks: x.ticks }),
      ...(y.headroom !== undefined && { headroom: y.headroom }),
      ...(y.mark !== undefined && { markY: y.mark }),
    },
    (frame) => [
      ...own.flatMap(({ look, model }) => (model ? [modelLine(look, model, frame)] : [])),
      ...own.flatMap(({ look, single }) => (single ? [singleDots(look, single, frame)] : [])),
    ],
  );
}

/** The colour of a series, mixed with the background. */
function faint(look: LookName, share: string): string {
  return `color-mix(in srgb, ${token(palette[look].token)} ${share}, transparent)`;
}

type Places = NonNullable<LinesChart['lines'][number]['model']>;

function modelLine(look: LookName, places: Places, { min, max }: Frame): LogDataset {
  return {
    type: 'scatter',
    label: '',
    data: places.filter(({ y }) => y >= min && y <= max),
    showLine: true,
    borderColor: faint(look, '60%'),
    borderDash: [4, 4],
    borderWidth: 1.5,
    pointRadius: 0,
    pointHitRadius: 0,
  };
}

/** Single measurements, so that a bimodal distribution is visible; those outside the frame at its edge. */
function singleDots(look: LookName, places: Places, { min, max }: Frame): LogDataset {
  const stride = Math.ceil(places.length / mostSingle);
  const color = faint(look, '20%');
  return {
    type: 'scatter',
    label: '',
    data: places
      .filter((_, index) => index % stride === 0)
      .map(({ x, y }) => ({ x, y: Math.min(Math.max(y, min), max) })),
    pointStyle: palette[look].marker,
    pointRadius: 2,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}

function bars({ bars: own, axis }: BarsChart) {
  const drawn = intervalBars(
    own.map(({ label, look, value, low, high }) => ({
      label,
      token: palette[look].token,
      value: value ?? Number.NaN,
      low: low ?? null,
      high: high ?? null,
    })),
    axis.title,
    (value) => (value === null ? inUnit(null) : axis.text(value)),
  );
  const mark = axis.mark === undefined ? [] : [markLine('x', axis.mark)];
  return { ...drawn, plugins: [...(drawn.plugins ?? []), ...mark] };
}
