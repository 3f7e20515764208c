import type { Plugin } from 'chart.js';
import { token } from '../theme.ts';

/** More marks than this would cover the lines; they are drawn as ticks at the edge instead. */
const maxLines = 60;
const tickPx = 7;

/** A vertical line at each place of the horizontal axis; with many, ticks at the upper edge. */
export function momentMarks(places: readonly number[]): Plugin {
  return {
    id: 'moments',
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      const scale = scales['x'];
      if (!scale || places.length === 0) return;
      const bottom = places.length > maxLines ? chartArea.top + tickPx : chartArea.bottom;
      ctx.save();
      ctx.strokeStyle = token('--sys-color-on-surface-subtle');
      ctx.globalAlpha = 0.55;
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (const place of places) {
        const x = scale.getPixelForValue(place);
        if (x < chartArea.left || x > chartArea.right) continue;
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, bottom);
      }
      ctx.stroke();
      ctx.restore();
    },
  };
}
