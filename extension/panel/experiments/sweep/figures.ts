import type { Sample } from '@cachescope/model/run/sample.ts';
import type { Chart as DeclaredChart } from '@cachescope/model/page/chart.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { Chart } from 'chart.js';
import { bytesChart, deviceBytesChart, deviceReadsChart } from '../../charts/bar-charts.ts';
import type { Figure } from '../../charts/figure.ts';
import {
  bytesCaption,
  deviceBytesCaption,
  deviceReadsCaption,
  gapCaption,
  readTimeCaption,
  shownPairs,
} from './captions.ts';
import { figureOf } from '../../page/figure.ts';
import { gapChart, readTimeChart } from './delay-charts.ts';
import { tailFigure } from './tail-figure.ts';

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
    {
      id: 'bytes',
      title: 'Bytes on the wire, stored and decoded (KiB)',
      caption: bytesCaption(summary),
      heightPx: Math.max(300, 96 + 66 * summary.fits.length),
      draw: (canvas) => new Chart(canvas, bytesChart(summary)),
    },
    ...(isOnDisk ? deviceFigures(summary) : []),
    ...(summary.profile ? [tailFigure(summary.profile)] : []),
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

/** What the slow disk did for a cached read. Other programs read the disk of the control, so it has no such counts. */
function deviceFigures(summary: SweepSummary): Figure[] {
  const heightPx = 76 + 38 * summary.fits.length;
  return [
    {
      id: 'device-reads',
      title: 'Device reads for one cached read (count)',
      caption: deviceReadsCaption(summary),
      heightPx,
      draw: (canvas) => new Chart(canvas, deviceReadsChart(summary)),
    },
    {
      id: 'device-bytes',
      title: 'Bytes from the device for one cached read (KiB)',
      caption: deviceBytesCaption(summary),
      heightPx,
      draw: (canvas) => new Chart(canvas, deviceBytesChart(summary)),
    },
  ];
}
