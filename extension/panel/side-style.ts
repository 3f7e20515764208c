import type { ArmStyle } from './arm-style.ts';

/** How the two sides of a comparison look: told apart by colour, line and marker. */
export interface SideStyle extends ArmStyle {
  /** Line dashes of canvas, pixels. */
  dash: number[];
}

/** A, the baseline. */
export const againstStyle: SideStyle = {
  token: '--sys-color-blue-bright',
  marker: 'circle',
  dash: [],
};

/** B, what is held against it. */
export const ofStyle: SideStyle = {
  token: '--sys-color-orange-bright',
  marker: 'rectRot',
  dash: [6, 4],
};
