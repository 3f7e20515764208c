import type { PointStyle } from 'chart.js';

/** How a line or a bar looks: a colour and a marker shape, so that it is never told by colour alone. */
export interface Look {
  token: `--${string}`;
  marker: PointStyle;
}

/** A look with a line of its own. */
export interface LineLook extends Look {
  /** Line dashes of canvas, pixels; empty: solid. */
  dash: number[];
}

/** The looks that all charts choose from. */
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

/** The look of one of many that have none of their own; after the last the first again. */
export function lookAt(place: number): Look {
  return looks[place % looks.length] ?? palette.neutral;
}

/** The dashes of one of many lines: the first is solid. */
export function dashAt(place: number): number[] {
  return dashes[place % dashes.length] ?? [];
}
