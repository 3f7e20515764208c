import type { Plugin } from 'chart.js';
import { token } from '../theme.ts';

/** A dashed line at a value of an axis; nothing for a value outside the chart. */
export function markLine(
  axis: 'x' | 'y',
  value: number,
  color: `--${string}` = '--sys-color-on-surface-subtle',
): Plugin {
  return {
    id: 'mark-line',
    afterDatasetsDraw({ ctx, chartArea: { left, right, top, bottom }, scales }) {
      const at = scales[axis]?.getPixelForValue(value);
      const [first, last] = axis === 'x' ? [left, right] : [top, bottom];
      if (at === undefined || at < first || at > last) return;
      ctx.save();
      ctx.strokeStyle = token(color);
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(axis === 'x' ? at : left, axis === 'x' ? top : at);
      ctx.lineTo(axis === 'x' ? at : right, axis === 'x' ? bottom : at);
      ctx.stroke();
      ctx.restore();
    },
  };
}
