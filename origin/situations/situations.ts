import { failures, ranges, redirects } from './answers.ts';
import { httpCache, memoryCache, revalidation, staleWhileRevalidate } from './caches.ts';
import { earlyHints, prefetch, preload, speculation } from './fetched-ahead.ts';
import { backForward, reloadKinds } from './navigations.ts';
import { crossOrigin, partitions, vary } from './stored-apart.ts';
import { contexts } from './contexts.ts';
import { dictionaries } from './dictionaries.ts';
import { inUrl } from './in-url.ts';
import { kindStates } from './kind-states.ts';
import { repeatedUses } from './repeated.ts';
import { router } from './router.ts';
import { serviceWorker } from './service-worker.ts';
import type { Situation } from './situation.ts';
import { inVariants } from './variants.ts';
import { workers } from './workers.ts';

const inChromium: readonly Situation[] = [
  ...httpCache,
  ...memoryCache,
  ...revalidation,
  ...staleWhileRevalidate,
  ...prefetch,
  ...earlyHints,
  ...redirects,
  ...ranges,
  ...crossOrigin,
  ...serviceWorker,
  ...router,
  ...backForward,
  ...inUrl,
  ...preload,
  ...dictionaries,
  ...kindStates,
  ...failures,
  ...repeatedUses,
  ...workers,
  ...contexts,
  ...speculation,
  ...partitions,
  ...vary,
  ...reloadKinds,
];

/** Every row of the truth table. */
export const situations: readonly Situation[] = [...inChromium, ...inVariants(inChromium)];
