import type { ComparedCell, ComparisonSummary } from '@cachescope/model/compare/summary.ts';
import { placeOf } from '@cachescope/model/compare/summary.ts';
import { percent } from '@cachescope/model/quantity.ts';
import type { Plugin } from 'chart.js';
import { type IntervalRow, intervalRows, type IntervalRowsChart } from './interval-rows.ts';
import { token } from '../theme.ts';

/**
 * The difference of every pair as a share of the baseline, with its interval. The band is the equivalence margin of the
 * verdict SAME.
 */
export function differenceChart(
  { cells }: ComparisonSummary,
  margin: number,
  title: string,
): IntervalRowsChart {
  const options = { textPx: 150, reach: 150 * margin, behind: [marginBand(margin)] };
  return intervalRows(cells.map(rowOf), title, options);
}

function rowOf(cell: ComparedCell): IntervalRow {
  const { relative, relativeInterval } = cell.comparison;
  return {
    label: placeOf(cell),
    value: relative === null ? null : 100 * relative,
    span: relativeInterval && [100 * relativeInterval.low, 100 * relativeInterval.high],
    look: { token: colorOf(cell), marker: 'circle' },
    text: verdictText(cell),
  };
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

function verdictText({ comparison: { relative }, verdict }: ComparedCell): string {
  const share = relative === null ? '' : `, ${relative > 0 ? '+' : ''}${percent(relative)}`;
  return `${verdict.outcome}${share}`;
}
