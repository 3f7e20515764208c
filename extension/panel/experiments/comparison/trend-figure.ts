import { startText, trendSentences } from '@cachescope/model/compare/run-history.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { Chart, type ChartConfiguration } from 'chart.js';
import { linearAxis } from '../../charts/chart-theme.ts';
import type { Figure } from '../../charts/figure.ts';
import { lookAt } from '../../charts/palette.ts';
import { token } from '../../theme.ts';

type TrendChart = ChartConfiguration<'scatter', { x: number; y: number }[]>;

/** More lines would be indistinguishable: the cells with the largest changes are drawn. */
const mostLines = 8;

/** The medians of each cell over the runs of a baseline, in percent of the first run, with the change points. */
export function trendFigure(trend: Trend, title: string): Figure {
  const { cells } = trend;
  const drawn = cells.toSorted((one, other) => spread(other) - spread(one)).slice(0, mostLines);
  const shown = drawn.length < cells.length ? ` The ${drawn.length} cells that moved most.` : '';
  return {
    id: 'trend',
    title: `Trend of ${trend.baseline}: ${title} (% of the first run)`,
    caption: `${trendSentences(trend).join(' ')}${shown} Medians of each run; the compared run is the last. A dashed line is a change point.`,
    heightPx: 320,
    draw: (canvas) => new Chart(canvas, trendChart(trend, drawn)),
  };
}

function spread({ medians: [first = 0, ...others] }: Trend['cells'][number]): number {
  return first > 0 ? Math.max(0, ...others.map((value) => Math.abs(value / first - 1))) : 0;
}

function trendChart(trend: Trend, drawn: Trend['cells']): TrendChart {
  const shares = drawn.flatMap(({ medians }) => percentOfFirst(medians));
  const [lowest, highest] = [Math.min(100, ...shares), Math.max(100, ...shares)];
  const changes = trend.changePoints.map(({ at }) => ({
    label: `change at ${startText(trend.runs[at]?.startedAt ?? '')}`,
    data: [
      { x: at + 0.5, y: lowest },
      { x: at + 0.5, y: highest },
    ],
    showLine: true,
    borderDash: [6, 4],
    borderColor: token('--sys-color-on-surface-subtle'),
    pointRadius: 0,
  }));
  return {
    type: 'scatter',
    data: {
      datasets: [
        ...drawn.map(({ place, medians }, index) => {
          const look = lookAt(index);
          return {
            label: place,
            data: percentOfFirst(medians).map((y, run) => ({ x: run + 1, y })),
            showLine: true,
            borderColor: token(look.token),
            backgroundColor: token(look.token),
            pointStyle: look.marker,
          };
        }),
        ...changes,
      ],
    },
    options: {
      scales: {
        x: {
          ...linearAxis('run (start, UTC)'),
          beginAtZero: false,
          ticks: {
            precision: 0,
            callback: (value) => startText(trend.runs[Number(value) - 1]?.startedAt ?? ''),
          },
        },
        y: { ...linearAxis('median, % of the first run'), beginAtZero: false },
      },
    },
  };
}

function percentOfFirst(medians: readonly number[]): number[] {
  const [first = 0] = medians;
  return first > 0 ? medians.map((value) => (100 * value) / first) : [];
}
