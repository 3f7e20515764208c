import { digits } from '@cachescope/model/quantity.ts';
import type { Interval } from './interval.ts';

/** An estimate and its interval as text, with the number of decimals that the interval's width justifies. */
export interface IntervalWords {
  /** `24.1` */
  estimate: string;
  /** `23.9 to 25.3` */
  interval: string;
}

/**
 * Formats an estimate and its interval with the same number of decimals: enough for two or three digits of the width,
 * and for no value other than 0 to be printed as 0. So no text says `0 (0 to 0)` about a difference that was found, and
 * the estimate stays between the ends.
 */
export function intervalWords(estimate: number, interval: Interval): IntervalWords {
  const { low, high } = interval;
  const width = high - low;
  const hasWidth = width > residue * Math.max(Math.abs(low), Math.abs(high));
  const fixed = hasWidth ? decimalsOf(width, [low, high, estimate]) : null;
  const text = (value: number): string =>
    fixed === null ? narrow(value) : formatted(value, fixed);
  return { estimate: text(estimate), interval: `${text(low)} to ${text(high)}` };
}

function decimalsOf(width: number, values: readonly number[]): number {
  let decimals = width >= 100 ? 0 : Math.max(1, 1 - Math.floor(Math.log10(width)));
  const isHidden = (value: number): boolean => value !== 0 && Number(value.toFixed(decimals)) === 0;
  while (decimals < mostDecimals && values.some(isHidden)) decimals++;
  return Math.min(decimals, mostDecimals);
}

/** An interval narrower than this share of its ends has no width but floating-point rounding. */
const residue = 1e-9;

/** An interval of width 0 does not limit the number of digits. */
function narrow(value: number): string {
  const text = digits(value);
  return value !== 0 && Number(text.replaceAll(',', '')) === 0
    ? String(Number(value.toPrecision(3)))
    : text;
}

const mostDecimals = 20;

function formatted(value: number, decimals: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
}
