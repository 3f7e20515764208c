import type { PageArm, PageState } from '@cachescope/model/pageload/load.ts';
import { dashAt, type Look, palette } from '../../charts/palette.ts';

/** Colours of the sources, as in the grid; memory and disk differ. All other sources share one colour. */
const sourceTokens: Readonly<Record<string, `--${string}`>> = {
  network: palette.blue.token,
  disk: palette.green.token,
  memory: palette.purple.token,
  revalidated: palette.cyan.token,
  unknown: palette.neutral.token,
};

/** The colour of a source in waterfalls. */
export function sourceToken(source: string): `--${string}` {
  return sourceTokens[source] ?? palette.orange.token;
}

/** The look of each arm in every chart. */
export const armStyles: Readonly<Record<PageArm, Look>> = {
  plain: palette.blue,
  dictionary: palette.orange,
};

/** The dash pattern of each kind of load: the lines of one arm differ by it. */
export const stateDashes: Readonly<Record<PageState, number[]>> = {
  empty: dashAt(2),
  warm: dashAt(3),
  relaunched: dashAt(1),
  cold: dashAt(0),
};
