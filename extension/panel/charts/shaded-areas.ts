import type { Chart, Plugin } from 'chart.js';

/** An area between two edges, in the units of the axes; `axis`: the id of its vertical axis. */
export interface ShadedArea {
  /** A colour of canvas. */
  color: string;
  axis: string;
  /** Rising in x. `null`: the edge of the chart. */
  edges: readonly { x: number; low: number | null; high: number | null }[];
}

/** Areas behind the lines: intervals of a line, or a range of an axis. */
export function shadedAreas(areas: readonly ShadedArea[]): Plugin {
  return {
    id: 'shaded-areas',
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea } = chart;
      const { left, right, top, bottom } = chartArea;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, right - left, bottom - top);
      ctx.clip();
      for (const area of areas) drawArea(chart, area);
      ctx.restore();
    },
  };
}

function drawArea({ ctx, scales }: Chart, { color, axis, edges }: ShadedArea): void {
  const [x, y] = [scales['x'], scales[axis]];
  if (!x || !y) return;
  const place = (value: number | null, end: number) =>
    value === null ? end : y.getPixelForValue(value);
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const edge of edges) ctx.lineTo(x.getPixelForValue(edge.x), place(edge.low, y.bottom));
  for (const edge of edges.toReversed())
    ctx.lineTo(x.getPixelForValue(edge.x), place(edge.high, y.top));
  ctx.fill();
}
