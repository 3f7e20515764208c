import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import { type Look, palette } from '../../charts/palette.ts';

/** The look of each cache in every chart. */
export const cacheStyles: Readonly<Record<MicroCache, Look>> = {
  none: palette.neutral,
  memory: palette.blue,
  disk: palette.orange,
  blink: palette.purple,
  'cache-storage': palette.green,
  'service-worker': palette.cyan,
};
