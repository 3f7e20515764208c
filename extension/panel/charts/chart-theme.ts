import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineElement,
  PointElement,
  type ScaleOptionsByType,
  ScatterController,
  Tooltip,
} from 'chart.js';
import { token } from '../theme.ts';

// Only the parts in use, to keep the bundle small.
Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineElement,
  PointElement,
  ScatterController,
  Tooltip,
);

/** Applies the colours and fonts of the current theme to charts created from now on. */
export function applyChartTheme(): void {
  const { defaults } = Chart;
  defaults.animation = false;
  defaults.responsive = true;
  defaults.maintainAspectRatio = false;
  defaults.color = token('--sys-color-on-surface');
  defaults.borderColor = token('--sys-color-divider');
  defaults.font.family = getComputedStyle(document.body).fontFamily;
  defaults.font.size = 12;
  Object.assign(defaults.plugins.legend, { position: 'top', align: 'start' });
  Object.assign(defaults.plugins.legend.labels, { usePointStyle: true, boxHeight: 7, padding: 14 });
  Object.assign(defaults.plugins.tooltip, {
    backgroundColor: token('--sys-color-inverse-surface'),
    titleColor: token('--sys-color-inverse-on-surface'),
    bodyColor: token('--sys-color-inverse-on-surface'),
    usePointStyle: true,
    cornerRadius: 4,
    padding: 8,
  });
}

/** A linear axis titled with quantity and unit. `zeroLine` emphasizes the line at 0. */
export function linearAxis(
  title: string,
  { zeroLine = false }: { zeroLine?: boolean } = {},
): DeepPartial<ScaleOptionsByType<'linear'>> {
  const grid = `color-mix(in srgb, ${token('--sys-color-divider')} 60%, transparent)`;
  const zero = token('--sys-color-on-surface-subtle');
  return {
    type: 'linear',
    beginAtZero: true,
    title: { display: true, text: title, color: token('--sys-color-on-surface-subtle') },
    ticks: { color: token('--sys-color-on-surface-subtle'), maxTicksLimit: 8 },
    border: { display: false },
    grid: {
      color: ({ tick }) => (zeroLine && tick?.value === 0 ? zero : grid),
      lineWidth: ({ tick }) => (zeroLine && tick?.value === 0 ? 1.5 : 1),
    },
  };
}

type DeepPartial<Type> = Type extends (...parameters: never[]) => unknown
  ? Type
  : Type extends object
    ? { [Key in keyof Type]?: DeepPartial<Type[Key]> }
    : Type;
