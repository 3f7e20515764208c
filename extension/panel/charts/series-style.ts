import { isCoding } from '@cachescope/model/coding.ts';
import type { Factors } from '@cachescope/model/compare/group.ts';
import type { Series } from '@cachescope/model/sweep/series.ts';
import { armLook, seriesLook } from '@cachescope/model/sweep/series-look.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { dashAt, type LineLook, lookAt, palette } from './palette.ts';

/** The style of a series in every chart of a sweep. */
export function seriesStyle({ fits }: Pick<SweepSummary, 'fits'>, series: Series): LineLook {
  const { look, dash } = seriesLook(fits, series);
  return { ...palette[look], dash: dashAt(dash) };
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
  const [one, other] = [
    palette[armLook(a, against['variant'])],
    palette[armLook(b, of['variant'])],
  ];
  const solid = { ...one, dash: dashAt(0) };
  if (one.token !== other.token) return [solid, { ...other, dash: dashAt(0) }];
  const marker = one.marker === 'rectRot' ? 'circle' : 'rectRot';
  return [solid, { ...one, marker, dash: dashAt(1) }];
}
