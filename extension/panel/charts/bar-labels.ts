import type { Plugin } from 'chart.js';
import { token } from '../theme.ts';

/** The data of a bar: a value, a value with its interval (NaN: unknown), or null for unknown. */
type Bar = number | null | { x: number; xMax?: number; isAbsent?: boolean };

function knownBar(bar: Bar | undefined): Bar {
  const value = typeof bar === 'object' ? bar?.x : bar;
  return bar === undefined || Number.isNaN(value) ? null : bar;
}

/**
 * Writes each bar's value at its end, behind the whisker if there is one, so that values can be read without a pointer.
 * The label of an unknown value is at the axis.
 */
export function barLabels(text: (value: number | null, label: string) => string): Plugin {
  return {
    id: 'bar-labels',
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.fillStyle = token('--sys-color-on-surface');
      ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textBaseline = 'middle';
      const place = (value: number): number => chart.scales['x']?.getPixelForValue(value) ?? 0;
      for (const [index, { data, label = '' }] of chart.data.datasets.entries()) {
        if (!chart.isDatasetVisible(index)) continue;
        for (const [row, { x, y }] of chart.getDatasetMeta(index).data.entries()) {
          const own = (data as Bar[])[row];
          if (typeof own === 'object' && own?.isAbsent) continue;
          const bar = knownBar(own);
          const value = typeof bar === 'object' ? (bar?.x ?? null) : bar;
          const end = bar !== null && typeof bar === 'object' ? place(bar.xMax ?? bar.x) : x;
          // Beside a bar to the left, the room right of 0 is free.
          const isLeft = value === null || value < 0;
          ctx.fillText(text(value, label), (isLeft ? place(0) : Math.max(end, x)) + 6, y);
        }
      }
      ctx.restore();
    },
  };
}
