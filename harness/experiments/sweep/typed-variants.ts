import { isDeepStrictEqual } from 'node:util';
import type { Settings, Variant } from '@cachescope/model/run/variant.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { CachescopeError } from '../../error.ts';

/**
 * Whether settings change how a browser is started: its binary, or flags, variables and features that can make it start
 * another program or load code.
 */
function startsBrowser({ browser, flags, environment, ...rest }: Settings): boolean {
  const { enabledFeatures, disabledFeatures, diskCacheParameters } = rest;
  const features = [enabledFeatures, disabledFeatures, diskCacheParameters];
  return [browser, flags, environment, ...features].some(Boolean);
}

/**
 * Refuses to start a browser with settings from a file that somebody else may have written: such variants must be named
 * again with `--variants`, unchanged.
 *
 * @throws CachescopeError CS_RESUME_VARIANTS, exit code 2.
 */
export function requireTyped(
  { settings = {}, variants = [] }: Pick<SweepPlan, 'settings' | 'variants'>,
  typed: readonly Variant[] | undefined,
): void {
  if (![settings, ...variants].some(startsBrowser)) return;
  if (!startsBrowser(settings) && isDeepStrictEqual(variants, typed)) return;
  const message =
    'run.json names browsers, switches, features or environment variables; none of them is used';
  throw new CachescopeError('CS_RESUME_VARIANTS', message, {
    hint: 'Add --variants FILE, or --features, with the same variants as in the original run.',
  });
}
