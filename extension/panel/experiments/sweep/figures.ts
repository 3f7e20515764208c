import type { Sample } from '@cachescope/model/run/sample.ts';
import type { Chart as DeclaredChart } from '@cachescope/model/page/chart.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { Chart } from 'chart.js';
import type { Figure } from '../../charts/figure.ts';
import { gapCaption, readTimeCaption, shownPairs } from './captions.ts';
import { figureOf } from '../../page/figure.ts';
import { gapChart, readTimeChart } from './delay-charts.ts';
import { bytesChart, deviceCharts, tailChart } from './bars.ts';

/**
 * The figures of a sweep; without a slow disk those of its delays and reads are left out. `breakEvens` are declared charts
 * beside that of the gaps.
 */
export function sweepFigures(
  summary: SweepSummary,
  samples: readonly Sample[],
  breakEvens: readonly DeclaredChart[] = [],
): Figure[] {
  const isOnDisk = summary.points.some(({ storage }) => storage !== 'none');
  return [
    {
      id: 'read-time',
      title: 'Read time against measured delay (ms)',
      caption: `${readTimeCaption(summary)} Marks are geometric means of the launches' medians, bars 95 % intervals, ${samples.length > 0 ? 'faint marks single reads, ' : ''}hollow marks the control.`,
      heightPx: 360,
      draw: (canvas) => new Chart(canvas, readTimeChart(summary, samples)),
    },
    ...(isOnDisk && shownPairs(summary).length > 0 ? [gapFigure(summary)] : []),
    ...breakEvens.map(figureOf),
    ...[
      bytesChart(summary),
      ...(isOnDisk ? deviceCharts(summary) : []),
      ...(summary.profile ? [tailChart(summary.profile)] : []),
    ].map(figureOf),
  ];
}

function gapFigure(summary: SweepSummary): Figure {
  return {
    id: 'gap',
    title: 'Gap between read times (ms)',
    caption: `${gapCaption(summary)} Above zero, the arm named first is slower.`,
    heightPx: 300,
    draw: (canvas) => new Chart(canvas, gapChart(summary)),
  };
}
