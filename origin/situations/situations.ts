import { failures, ranges, redirects } from './answers.ts';
import { httpCache, memoryCache, revalidation, staleWhileRevalidate } from './caches.ts';
import { contexts, inUrl, workers } from './contexts.ts';
import { dictionaries } from './dictionaries.ts';
import {
  earlyHints,
  joinedPrefetches,
  prefetch,
  preload,
  speculation,
  speculationItself,
} from './fetched-ahead.ts';
import { endedEarly } from './ended-early.ts';
import { preloadUses } from './preload-uses.ts';
import { redirectModes } from './redirect-modes.ts';
import { restOfBody } from './rest-of-body.ts';
import { besides } from './besides.ts';
import { kindStates, repeatedUses } from './kind-states.ts';
import { backForward, reloadKinds } from './navigations.ts';
import { oneUse } from './one-use.ts';
import { rarelySeen } from './rarely-seen.ts';
import { router } from './router.ts';
import { serviceWorker } from './service-worker.ts';
import type { Situation } from './situation.ts';
import { crossOrigin, partitions, vary } from './stored-apart.ts';
import { inVariants } from './variants.ts';

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
  ...oneUse,
  ...rarelySeen,
  ...endedEarly,
  ...preloadUses,
  ...redirectModes,
  ...restOfBody,
  ...joinedPrefetches,
  ...speculationItself,
  ...besides,
];

/** Every row of the truth table. */
export const situations: readonly Situation[] = [...inChromium, ...inVariants(inChromium)];
