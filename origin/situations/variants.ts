import { sceneOf, type Situation } from './situation.ts';

/** Chromium with features of its cache that are off by default (Chromium 156), by what they are called here. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'with-recompression': ['--enable-features=HttpCacheZstdCompression,HttpCacheZstdDecompression'],
  // Renderers read the cache of this back end only.
  'with-renderer-accessible-cache': [
    '--enable-features=RendererAccessibleHttpCache,DiskCacheBackendExperiment:backend/sql',
  ],
};

/** What the cache may do otherwise in such a browser, and one of each other answer. */
const played: ReadonlySet<string> = new Set([
  'network-brotli',
  'disk-fetch',
  'disk-script',
  'disk-document',
  'disk-after-relaunch',
  'memory-script',
  'revalidated-fetch',
  'range-within-range-on-disk',
  'range-of-whole-on-disk',
  'range-half-on-disk',
  'range-resumed-download',
  'dcb-network',
  'dcb-disk',
  'dcz-disk',
  'worker-http-cache',
  'prefetch-link-script',
  'vary-other-field',
]);
/** Every kind of request in one state. */
const playedScene = 'kinds-disk';

/** Some of these situations once more in each variant of the browser. */
export function inVariants(situations: readonly Situation[]): Situation[] {
  const own = situations.filter(({ name, scene }) => played.has(name) || scene === playedScene);
  return Object.entries(variants).flatMap(([variant, flags]) =>
    own.map((situation): Situation => ({
      ...situation,
      name: `${situation.name}-${variant}`,
      scene: `${sceneOf(situation)}-${variant}`,
      flags,
    })),
  );
}
