import { type Coding, isCoding } from '@cachescope/model/coding.ts';
import type { Factors } from '@cachescope/model/compare/group.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { Series } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { dashAt, type LineLook, type Look, lookAt, palette } from './palette.ts';

const armLooks: Readonly<Record<Coding, Look>> = {
  br: palette.blue,
  dcb: palette.orange,
  gzip: palette.green,
  dcz: palette.purple,
  zstd: palette.cyan,
  identity: palette.neutral,
};

/** The look of an arm; one that Chromium recompressed has its own. */
function lookOf(arm: Coding, variant: string | undefined): Look {
  if (!isRecompressed({ variant })) return armLooks[arm];
  return arm === 'dcz' ? palette.yellow : palette.pink;
}

/** Arms differ by colour and marker, variants by the line. With one arm only, variants differ by all three. */
export function seriesStyle({ fits }: Pick<SweepSummary, 'fits'>, series: Series): LineLook {
  if (isRecompressed(series)) return { ...lookOf(series.arm, series.variant), dash: dashAt(0) };
  const variants = [
    ...new Set(fits.filter((fit) => !isRecompressed(fit)).map(({ variant }) => variant)),
  ];
  const arms = new Set(fits.map(({ arm }) => arm));
  const place = Math.max(0, variants.indexOf(series.variant));
  const isOfVariant = variants.length > 1 && arms.size === 1;
  return { ...(isOfVariant ? lookAt(place) : armLooks[series.arm]), dash: dashAt(place) };
}

/** The two sides of a comparison without arms: A, the baseline, and B. */
export const plainSides: readonly [against: LineLook, of: LineLook] = [
  { ...palette.blue, dash: dashAt(0) },
  { ...palette.orange, dash: dashAt(1) },
];

/**
 * The styles of the two sides of a comparison. Two different arms look as in every other chart. The same arm keeps its
 * colour on both sides, and B has another marker and line. `variants` are those of a report whose series differ by
 * variant only.
 */
export function sideStyles(
  against: Factors,
  of: Factors,
  variants: readonly string[] = [],
): readonly [against: LineLook, of: LineLook] {
  const places = [against, of].map(({ variant = '' }) => variants.indexOf(variant));
  const [first = -1, second = -1] = places;
  if (first !== -1 && second !== -1 && first !== second) {
    return [
      { ...lookAt(first), dash: dashAt(first) },
      { ...lookAt(second), dash: dashAt(second) },
    ];
  }
  const [a, b] = [against['arm'] ?? '', of['arm'] ?? ''];
  if (!isCoding(a) || !isCoding(b)) return plainSides;
  const [one, other] = [lookOf(a, against['variant']), lookOf(b, of['variant'])];
  const solid = { ...one, dash: dashAt(0) };
  if (one !== other) return [solid, { ...other, dash: dashAt(0) }];
  const marker = one.marker === 'rectRot' ? 'circle' : 'rectRot';
  return [solid, { ...one, marker, dash: dashAt(1) }];
}
