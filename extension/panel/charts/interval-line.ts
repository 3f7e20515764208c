import { Chart } from 'chart.js';
import { LineWithErrorBarsController, PointWithErrorBar } from 'chartjs-chart-error-bars';
import type { Look } from './palette.ts';
import { token } from '../theme.ts';
import { whiskers } from './whiskers.ts';

// Registered here and not in chart-theme.ts, so that charts without intervals need not bundle it.
Chart.register(LineWithErrorBarsController, PointWithErrorBar);

/** Style of a line with intervals: colour, markers, whiskers. */
export function intervalLine(look: Look & { dash?: number[] }) {
  const color = token(look.token);
  return {
    type: 'lineWithErrorBars',
    borderColor: color,
    backgroundColor: color,
    borderWidth: 2,
    borderDash: look.dash ?? [],
    pointStyle: look.marker,
    pointRadius: 5,
    pointHoverRadius: 6,
    ...whiskers(color),
  } as const;
}
