import type { Coding } from '@cachescope/model/coding.ts';
import type { PointStyle } from 'chart.js';

/** How an arm looks in every chart: a colour and a marker shape, so that it is never told by colour alone. */
export interface ArmStyle {
  token: `--${string}`;
  marker: PointStyle;
}

export const armStyles: Readonly<Record<Coding, ArmStyle>> = {
  identity: { token: '--sys-color-neutral-bright', marker: 'triangle' },
  gzip: { token: '--sys-color-green-bright', marker: 'rect' },
  br: { token: '--sys-color-blue-bright', marker: 'circle' },
  zstd: { token: '--sys-color-cyan-bright', marker: 'star' },
  dcb: { token: '--sys-color-orange-bright', marker: 'rectRot' },
  dcz: { token: '--sys-color-purple-bright', marker: 'crossRot' },
};
