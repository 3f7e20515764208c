import type { MicroCache } from '@cachescope/model/micro-cache.ts';
import type { PointStyle } from 'chart.js';

/** How a line looks in every chart: a colour and a marker shape, so that it is never told by colour alone. */
export interface LineStyle {
  token: `--${string}`;
  marker: PointStyle;
}

export const cacheStyles: Readonly<Record<MicroCache, LineStyle>> = {
  none: { token: '--sys-color-neutral-bright', marker: 'triangle' },
  memory: { token: '--sys-color-blue-bright', marker: 'circle' },
  disk: { token: '--sys-color-orange-bright', marker: 'rectRot' },
  blink: { token: '--sys-color-purple-bright', marker: 'star' },
  'cache-storage': { token: '--sys-color-green-bright', marker: 'rect' },
  'service-worker': { token: '--sys-color-cyan-bright', marker: 'crossRot' },
};

/** For lines that are told apart by something else: as many as are ever drawn together, then again from the first. */
export function lineStyle(place: number): LineStyle {
  const all = [
    cacheStyles.blink,
    cacheStyles.disk,
    cacheStyles['cache-storage'],
    cacheStyles.memory,
    cacheStyles['service-worker'],
    cacheStyles.none,
  ] as const;
  return all[place % all.length] ?? cacheStyles.none;
}
