import { browserSituations } from './browser-situations.ts';
import { fetchSituations } from './fetch-situations.ts';
import { pageSituations } from './page-situations.ts';
import type { FixSituation } from './situation.ts';

/** Every situation, in the order of the table; those that share a browser are next to each other. */
export const fixSituations: readonly FixSituation[] = [
  ...fetchSituations,
  ...pageSituations,
  ...browserSituations,
];
