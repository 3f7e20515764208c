import type { Series } from '@cachescope/model/sweep-series.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { type ArmStyle, armStyles } from './arm-style.ts';

/** How a series looks in every chart. */
export interface SeriesStyle extends ArmStyle {
  /** Line dashes of canvas, pixels: the first variant is solid. */
  dash: number[];
}

const dashes: readonly number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** Colours of variants when one arm alone is shown: the arm's own would be all the same. */
const variantStyles: readonly ArmStyle[] = [
  armStyles.br,
  armStyles.dcb,
  armStyles.gzip,
  armStyles.dcz,
  armStyles.zstd,
  armStyles.identity,
];

/** Arms differ by colour and marker, variants by the line; variants of one arm by all three. */
export function seriesStyle({ fits }: Pick<SweepSummary, 'fits'>, series: Series): SeriesStyle {
  const variants = [...new Set(fits.map(({ variant }) => variant))];
  const arms = new Set(fits.map(({ arm }) => arm));
  const place = Math.max(0, variants.indexOf(series.variant));
  const dash = dashes[place % dashes.length] ?? [];
  const own = armStyles[series.arm];
  if (variants.length < 2 || arms.size > 1) return { ...own, dash };
  return { ...(variantStyles[place % variantStyles.length] ?? own), dash };
}
