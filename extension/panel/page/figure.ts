import type { Chart } from '@cachescope/model/page/chart.ts';
import { Chart as Drawn } from 'chart.js';
import type { Figure } from '../charts/figure.ts';
import { barsConfiguration, barsPx } from './bars.ts';
import { linesConfiguration, linesPx } from './lines.ts';

/** A declared chart. */
export function figureOf(chart: Chart): Figure {
  const { id, title, caption, isWide = false } = chart;
  if (chart.kind === 'bars')
    return {
      id,
      title,
      caption,
      isWide,
      heightPx: barsPx(chart),
      draw: (canvas) => new Drawn(canvas, barsConfiguration(chart)),
    };
  return {
    id,
    title,
    caption,
    isWide,
    heightPx: linesPx(chart),
    draw: (canvas) => new Drawn(canvas, linesConfiguration(chart)),
  };
}
