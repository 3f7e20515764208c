import type { Sample } from '@cachescope/model/run/sample.ts';
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
import { gapChart, readTimeChart } from './delay-charts.ts';
import { tailFigure } from './tail-figure.ts';

/** The figures of a sweep. */
export function sweepFigures(summary: SweepSummary, samples: readonly Sample[]): Figure[] {
  const barsPx = 76 + 38 * summary.fits.length;
  return [
    {
      id: 'read-time',
      title: 'Read time against measured delay (ms)',
      caption: `${readTimeCaption(summary)} Marks are geometric means of the launches' medians, bars 95 % intervals, ${samples.length > 0 ? 'faint marks single reads, ' : ''}hollow marks the control.`,
      heightPx: 360,
      draw: (canvas) => new Chart(canvas, readTimeChart(summary, samples)),
    },
    ...(shownPairs(summary).length > 0 ? [gapFigure(summary)] : []),
    {
      id: 'bytes',
      title: 'Bytes on the wire, stored and decoded (KiB)',
      caption: bytesCaption(summary),
      heightPx: Math.max(300, 96 + 66 * summary.fits.length),
      draw: (canvas) => new Chart(canvas, bytesChart(summary)),
    },
    {
      id: 'device-reads',
      title: 'Device reads for one cached read (count)',
      caption: deviceReadsCaption(summary),
      heightPx: barsPx,
      draw: (canvas) => new Chart(canvas, deviceReadsChart(summary)),
    },
    {
      id: 'device-bytes',
      title: 'Bytes from the device for one cached read (KiB)',
      caption: deviceBytesCaption(summary),
      heightPx: barsPx,
      draw: (canvas) => new Chart(canvas, deviceBytesChart(summary)),
    },
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
