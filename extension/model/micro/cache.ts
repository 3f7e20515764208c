/**
 * The caches of the micro-benchmarks, each without another cache in front of it. `none`: every request uses no-store,
 * so no cache is read. `memory`: the HTTP cache of an off-the-record context, which is in memory. `disk`: the HTTP
 * cache of the ordinary profile. `blink`: the renderer's memory cache of scripts and style sheets, in front of the disk
 * cache. `cache-storage`: the Cache API, called by the page. `service-worker`: the Cache API behind a service worker
 * that answers fetch().
 */
export const microCaches = [
  'none',
  'memory',
  'disk',
  'blink',
  'cache-storage',
  'service-worker',
] as const;
export type MicroCache = (typeof microCaches)[number];

/** Labels for display. */
export const microCacheLabels: Readonly<Record<MicroCache, string>> = {
  none: 'No cache',
  memory: 'Memory cache',
  disk: 'Disk cache',
  blink: 'Blink memory',
  'cache-storage': 'Cache Storage',
  'service-worker': 'Service worker',
};

/** The setup of each cache, for the report. */
export const microCacheNotes: Readonly<Record<MicroCache, string>> = {
  none: 'fetch() with cache: no-store: the HTTP cache is neither read nor written',
  memory: 'fetch() in an off-the-record context, whose HTTP cache is in memory only',
  disk: 'fetch() in the ordinary profile, whose HTTP cache is on disk',
  blink: 'script elements, which the renderer keeps in memory; the disk cache is behind it',
  'cache-storage': 'caches.match() and put() by the page itself; stored in the profile',
  'service-worker':
    'fetch() that a service worker answers from Cache Storage; stored in the profile',
};

/** Caches whose content survives a browser restart. */
export function isOnDisk(cache: MicroCache): boolean {
  return cache === 'disk' || cache === 'cache-storage' || cache === 'service-worker';
}
