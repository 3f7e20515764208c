import type { Chart } from '@cachescope/model/page/chart.ts';
import { Chart as Drawn } from 'chart.js';
import type { Figure } from '../charts/figure.ts';
import { barsConfiguration, barsPx } from './bars.ts';
import { linesConfiguration } from './lines.ts';

const linesPx = 360;

/** A declared chart. */
export function figureOf(chart: Chart): Figure {
  const { id, title, caption } = chart;
  if (chart.kind === 'bars')
    return {
      id,
      title,
      caption,
      heightPx: barsPx(chart),
      draw: (canvas) => new Drawn(canvas, barsConfiguration(chart)),
    };
  return {
    id,
    title,
    caption,
    heightPx: linesPx,
    draw: (canvas) => new Drawn(canvas, linesConfiguration(chart)),
  };
}
