import type { PageArm, PageState } from '@cachescope/model/pageload-load.ts';
import type { LineStyle } from './micro-style.ts';

/** Colours of the sources, as in the grid; memory apart from disk. All others share the last. */
const sourceTokens: Readonly<Record<string, `--${string}`>> = {
  network: '--sys-color-blue-bright',
  disk: '--sys-color-green-bright',
  memory: '--sys-color-purple-bright',
  revalidated: '--sys-color-cyan-bright',
  unknown: '--sys-color-neutral-bright',
};

/** The colour of a source in waterfalls. */
export function sourceToken(source: string): `--${string}` {
  return sourceTokens[source] ?? '--sys-color-orange-bright';
}

/** How an arm looks: told by colour, marker and line. */
export const armStyles: Readonly<Record<PageArm, LineStyle & { dash: number[] }>> = {
  plain: { token: '--sys-color-blue-bright', marker: 'circle', dash: [] },
  dictionary: { token: '--sys-color-orange-bright', marker: 'rectRot', dash: [6, 4] },
};

/** States are told apart by colour, arms by the line. */
export const stateTokens: Readonly<Record<PageState, `--${string}`>> = {
  empty: '--sys-color-neutral-bright',
  warm: '--sys-color-green-bright',
  relaunched: '--sys-color-purple-bright',
  cold: '--sys-color-orange-bright',
};
