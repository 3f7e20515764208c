import type { Sample } from '@cachescope/model/run/sample.ts';
import type { Chart as DeclaredChart } from '@cachescope/model/page/chart.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import type { Figure } from '../../charts/figure.ts';
import { shownPairs } from './captions.ts';
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
    readTimeChart(summary, samples),
    ...(isOnDisk && shownPairs(summary).length > 0 ? [gapChart(summary)] : []),
    ...breakEvens,
    bytesChart(summary),
    ...(isOnDisk ? deviceCharts(summary) : []),
    ...(summary.profile ? [tailChart(summary.profile)] : []),
  ].map(figureOf);
}
