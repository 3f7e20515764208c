import type { ComparedCell, ComparisonSummary } from '@cachescope/model/compare/summary.ts';
import { placeOf } from '@cachescope/model/compare/summary.ts';
import { percent } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, Plugin } from 'chart.js';
import { linearAxis } from './chart-theme.ts';
import { token } from '../theme.ts';

type Span = [low: number, high: number] | null;
type DifferenceChart = ChartConfiguration<'bar', Span[], string>;

/**
 * The difference of every pair as a share of the baseline, with its interval. The band is the equivalence margin of the
 * verdict SAME.
 */
export function differenceChart(
  { cells }: ComparisonSummary,
  margin: number,
  title: string,
): DifferenceChart {
  return {
    type: 'bar',
    data: {
      labels: cells.map(placeOf),
      datasets: [
        {
          label: title,
          data: cells.map(spanOf),
          backgroundColor: cells.map((cell) => token(colorOf(cell))),
          barThickness: 4,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      layout: { padding: { right: 150 } },
      scales: {
        x: {
          ...linearAxis(title, { zeroLine: true }),
          // The whole band is visible, so that intervals can be compared with it.
          suggestedMin: -150 * margin,
          suggestedMax: 150 * margin,
        },
        y: { grid: { display: false }, border: { display: false }, ticks: { autoSkip: false } },
      },
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
    },
    plugins: [marginBand(margin), marks(cells)],
  };
}

function spanOf({ comparison: { relativeInterval } }: ComparedCell): Span {
  return relativeInterval && [100 * relativeInterval.low, 100 * relativeInterval.high];
}

function colorOf({ verdict }: ComparedCell): `--${string}` {
  if (verdict.outcome === 'UNKNOWN') return '--sys-color-on-surface-subtle';
  if (verdict.outcome === 'SAME') return '--sys-color-green-bright';
  return '--sys-color-orange-bright';
}

function marginBand(margin: number): Plugin<'bar'> {
  return {
    id: 'margin-band',
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      const x = scales['x'];
      if (!x) return;
      const [left, right] = [x.getPixelForValue(-100 * margin), x.getPixelForValue(100 * margin)];
      ctx.save();
      ctx.fillStyle = `color-mix(in srgb, ${token('--sys-color-green-bright')} 14%, transparent)`;
      ctx.fillRect(left, chartArea.top, right - left, chartArea.bottom - chartArea.top);
      ctx.restore();
    },
  };
}

/**
 * Draws the difference as a mark on its interval, with the verdict in words beside it, so that no pointer is needed.
 */
function marks(cells: readonly ComparedCell[]): Plugin<'bar'> {
  return {
    id: 'difference-marks',
    afterDatasetsDraw(chart) {
      const { ctx, scales, chartArea } = chart;
      ctx.save();
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = 'middle';
      for (const [row, cell] of cells.entries()) {
        const y = scales['y']?.getPixelForValue(row) ?? 0;
        const { relative } = cell.comparison;
        ctx.fillStyle = token(colorOf(cell));
        if (relative !== null) {
          ctx.beginPath();
          ctx.arc(scales['x']?.getPixelForValue(100 * relative) ?? 0, y, 4.5, 0, 2 * Math.PI);
          ctx.fill();
        }
        ctx.fillStyle = token('--sys-color-on-surface');
        ctx.fillText(verdictText(cell), chartArea.right + 8, y);
      }
      ctx.restore();
    },
  };
}

function verdictText({ comparison: { relative }, verdict }: ComparedCell): string {
  const share = relative === null ? '' : `, ${relative > 0 ? '+' : ''}${percent(relative)}`;
  return `${verdict.outcome}${share}`;
}
