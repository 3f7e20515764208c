import type { Sample } from '@cachescope/model/sample.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { Chart } from 'chart.js';
import { bytesChart, deviceBytesChart, deviceReadsChart } from './bar-charts.ts';
import {
  bytesCaption,
  deviceBytesCaption,
  deviceReadsCaption,
  gapCaption,
  readTimeCaption,
} from './captions.ts';
import { applyChartTheme } from './chart-theme.ts';
import { gapChart, readTimeChart } from './delay-charts.ts';
import { element } from './element.ts';

/** One chart with its words. */
interface Figure {
  /** Names the figure in the page, and its picture on disk. */
  id: string;
  title: string;
  caption: string;
  heightPx: number;
  draw: (canvas: HTMLCanvasElement) => { destroy(): void };
}

function figuresOf(summary: SweepSummary, samples: readonly Sample[]): Figure[] {
  const barsPx = 76 + 38 * summary.fits.length;
  return [
    {
      id: 'read-time',
      title: 'Read time against measured delay (ms)',
      caption: `${readTimeCaption(summary)} Marks are medians, bars 95 % intervals, faint marks single reads, hollow marks the control.`,
      heightPx: 360,
      draw: (canvas) => new Chart(canvas, readTimeChart(summary, samples)),
    },
    {
      id: 'gap',
      title: 'Gap between the medians (ms)',
      caption: `${gapCaption(summary)} Above the zero line the first-named is slower.`,
      heightPx: 300,
      draw: (canvas) => new Chart(canvas, gapChart(summary)),
    },
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
  ];
}

/** The figures of a sweep. Draw them when they stand in the document, and again after the theme has changed. */
export interface DrawnFigures {
  elements: HTMLElement[];
  draw: () => void;
}

/** Makes the figures of a sweep; their charts appear with draw(). */
export function sweepFigures(summary: SweepSummary, samples: readonly Sample[]): DrawnFigures {
  const made = figuresOf(summary, samples).map((figure) => {
    const canvas = element('canvas', {
      role: 'img',
      'aria-label': `${figure.title}. ${figure.caption}`,
    });
    const frame = element('div', { class: 'chart' }, canvas);
    frame.style.height = `${figure.heightPx}px`;
    const words = element(
      'figcaption',
      {},
      element('h3', {}, figure.title),
      element('p', {}, figure.caption),
    );
    return { figure, canvas, element: element('figure', { id: figure.id }, words, frame) };
  });
  let charts: { destroy(): void }[] = [];
  return {
    elements: made.map((item) => item.element),
    draw: () => {
      for (const chart of charts) chart.destroy();
      applyChartTheme();
      charts = made.map(({ figure, canvas }) => figure.draw(canvas));
    },
  };
}
