import type { PointStyle } from 'chart.js';

/** Style of a line or a bar: a colour and a marker shape, so that series are never distinguished by colour alone. */
export interface Look {
  token: `--${string}`;
  marker: PointStyle;
}

/** A look with a line style. */
export interface LineLook extends Look {
  /** Line dashes of canvas, pixels; empty: solid. */
  dash: number[];
}

/** The looks used by all charts. */
export const palette = {
  blue: { token: '--sys-color-blue-bright', marker: 'circle' },
  orange: { token: '--sys-color-orange-bright', marker: 'rectRot' },
  green: { token: '--sys-color-green-bright', marker: 'rect' },
  purple: { token: '--sys-color-purple-bright', marker: 'crossRot' },
  cyan: { token: '--sys-color-cyan-bright', marker: 'star' },
  pink: { token: '--sys-color-pink-bright', marker: 'rectRounded' },
  yellow: { token: '--sys-color-yellow-bright', marker: 'dash' },
  neutral: { token: '--sys-color-neutral-bright', marker: 'triangle' },
} as const satisfies Record<string, Look>;

const looks = Object.values(palette);
const dashes: readonly number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** The look at a position of a list that has none of its own; looks repeat after the last. */
export function lookAt(place: number): Look {
  return looks[place % looks.length] ?? palette.neutral;
}

/** The dash pattern at a position of a list of lines: the first is solid. */
export function dashAt(place: number): number[] {
  return dashes[place % dashes.length] ?? [];
}
