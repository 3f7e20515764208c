import type { Situation } from './situation.ts';
import { access } from './situations/access.ts';
import { caches } from './situations/caches.ts';
import { codings } from './situations/codings.ts';
import { freshness } from './situations/freshness.ts';
import { interruptions, restarts } from './situations/interruptions.ts';
import { ranges } from './situations/ranges.ts';
import { requests } from './situations/requests.ts';
import { validation } from './situations/validation.ts';

/** Every situation. Those that share a browser are next to each other. */
export const conformanceSituations: readonly Situation[] = [
  ...codings,
  ...freshness,
  ...validation,
  ...requests,
  ...ranges,
  ...access,
  ...interruptions,
  ...caches,
  ...restarts,
].toSorted((one, other) => Number(needsOwn(one)) - Number(needsOwn(other)));

/** Whether a situation needs another browser than most others. */
function needsOwn({ settings, isAlone }: Situation): boolean {
  return isAlone === true || settings !== undefined;
}
