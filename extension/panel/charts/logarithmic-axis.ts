import { digits } from '@cachescope/model/quantity.ts';
import { Chart, LogarithmicScale } from 'chart.js';
import { linearAxis } from './chart-theme.ts';

// Registered here and not in chart-theme.ts, so that charts without such an axis need not bundle it.
Chart.register(LogarithmicScale);

/** A logarithmic axis titled with quantity and unit. `text` is the text of a tick. */
export function logarithmicAxis(title: string, text: (value: number) => string = digits) {
  const axis = linearAxis(title);
  return {
    ...axis,
    type: 'logarithmic' as const,
    beginAtZero: false,
    ticks: { ...axis.ticks, callback: (value: number | string) => text(Number(value)) },
  };
}
