import type { ChartConfiguration, Plugin } from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import { linearAxis } from './chart-theme.ts';
import type { Look } from './palette.ts';
import { token } from '../theme.ts';

type Span = [low: number, high: number] | null;
export type IntervalRowsChart = ChartConfiguration<'bar', Span[], string>;

/** One row: a value as a mark on its interval, with a text beside the chart. In the unit of the axis. */
export interface IntervalRow {
  label: string;
  /** null: unknown; no mark is drawn. */
  value: number | null;
  /** null: unknown; no interval is drawn. */
  span: Span;
  look: Look;
  /** Shown at the right end of the row, so that no pointer is needed. */
  text: string;
}

/**
 * A row for each value with its interval, and a line at 0. `reach` must be visible on both sides of 0, so that all
 * intervals can be compared with it.
 */
export function intervalRows(
  rows: readonly IntervalRow[],
  title: string,
  { textPx, reach = 0, behind = [] }: { textPx: number; reach?: number; behind?: Plugin<'bar'>[] },
): IntervalRowsChart {
  const values = rows.flatMap(({ value }) => value ?? []);
  return {
    type: 'bar',
    data: {
      labels: rows.map(({ label }) => label),
      datasets: [
        {
          label: title,
          data: rows.map(({ span }) => span),
          backgroundColor: rows.map(({ look }) => token(look.token)),
          barThickness: 4,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      layout: { padding: { right: textPx } },
      scales: {
        x: {
          ...linearAxis(title, { zeroLine: true }),
          suggestedMin: Math.min(-reach, ...values),
          suggestedMax: Math.max(reach, ...values),
        },
        y: { grid: { display: false }, border: { display: false }, ticks: { autoSkip: false } },
      },
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
    },
    plugins: [...behind, marks(rows)],
  };
}

function marks(rows: readonly IntervalRow[]): Plugin<'bar'> {
  return {
    id: 'interval-marks',
    afterDatasetsDraw({ ctx, scales, chartArea }) {
      ctx.save();
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = 'middle';
      for (const [place, { value, look, text }] of rows.entries()) {
        const y = scales['y']?.getPixelForValue(place) ?? 0;
        ctx.fillStyle = token(look.token);
        // Some markers are only strokes.
        ctx.strokeStyle = ctx.fillStyle;
        ctx.lineWidth = 1.5;
        if (value !== null) {
          const x = scales['x']?.getPixelForValue(value) ?? 0;
          drawPoint(ctx, { pointStyle: look.marker, radius: 5, borderWidth: 1.5 }, x, y);
        }
        ctx.fillStyle = token('--sys-color-on-surface');
        ctx.fillText(text, chartArea.right + 8, y);
      }
      ctx.restore();
    },
  };
}
