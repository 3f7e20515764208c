import { greatest, least } from '@cachescope/model/extremes.ts';
import type { Axis } from '@cachescope/model/page/chart.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { roundDown, roundUp } from '../charts/axis-rounding.ts';
import { linearAxis } from '../charts/chart-theme.ts';
import { logarithmicAxis } from '../charts/logarithmic-axis.ts';

/** Limits of a vertical axis. */
export interface Frame {
  min: number;
  max: number;
}

/** Limits of a logarithmic axis: 1, 2 or 5 times a power of ten, at least a factor of 1.5 beyond all values. */
export function frameOf(values: readonly number[], { headroom = 1.5 }: Axis): Frame {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return { min: 0.1, max: 10 };
  return { min: roundDown(least(positive) / 1.5), max: roundUp(greatest(positive) * headroom) };
}

/** A vertical logarithmic axis with ticks at 1, 2 and 5 times a power of ten. */
export function framedAxis({ title }: Axis) {
  const isShown = (value: number): boolean => /^[125]e/.test(value.toExponential());
  const axis = logarithmicAxis(title, (value) => (isShown(value) ? digits(value) : ''));
  return { ...axis, ticks: { ...axis.ticks, maxTicksLimit: 9 } };
}

/** A linear axis. One with a range ends exactly there, without a tick for the fraction at its end. */
export function rangeAxis({ title, range, isDifference = false, isWhole = false }: Axis) {
  const linear = linearAxis(title, { zeroLine: isDifference });
  const axis = isWhole ? { ...linear, ticks: { ...linear.ticks, precision: 0 } } : linear;
  if (!range) return isDifference ? axis : { ...axis, min: 0 };
  const [min, max] = range;
  return { ...axis, beginAtZero: false, min, max, ticks: { ...axis.ticks, includeBounds: false } };
}

/** A horizontal logarithmic axis with ticks exactly at these positions. */
export function placeAxis({ title, text, ticks }: Axis, places: readonly number[]) {
  const axis = logarithmicAxis(title, text);
  const wanted = ticks ?? [...new Set(places)];
  return {
    ...axis,
    ticks: { ...axis.ticks, maxTicksLimit: 9, autoSkip: true },
    afterBuildTicks: (scale: Frame & { ticks: { value: number }[] }) => {
      scale.ticks = wanted
        .filter((value) => value >= scale.min && value <= scale.max)
        .toSorted((a, b) => a - b)
        .map((value) => ({ value }));
    },
  };
}
