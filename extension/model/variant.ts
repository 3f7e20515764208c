import * as z from 'zod/mini';

/** File systems that a slow disk can have. */
export const fileSystems = ['ext4', 'xfs', 'btrfs'] as const;
export type FileSystem = (typeof fileSystems)[number];

/** Chromium's disk cache back ends (`--enable-features=...`, chromium src net/disk_cache). */
export const diskCacheBackEnds = ['simple', 'blockfile', 'sql'] as const;
export type DiskCacheBackEnd = (typeof diskCacheBackEnds)[number];

/**
 * What one side of a comparison differs in: the browser, or what its cache lies on. A field that is absent is as in a run
 * without variants.
 */
export const variantSchema = z.object({
  /** Unique in a run: letters, digits and `._=-`, at most 40; `disk-cache=sql`. Names the variant in every output. */
  name: z.string().check(z.regex(/^[\w.=-]{1,40}$/)),
  /** Path of the browser's binary. */
  browser: z.optional(z.string()),
  /** Command-line switches added to the browser's, with their dashes. */
  flags: z.optional(z.array(z.string())),
  /** Names for --enable-features and --disable-features. */
  enabledFeatures: z.optional(z.array(z.string())),
  disabledFeatures: z.optional(z.array(z.string())),
  /** Environment variables of the browser, added to its own. */
  environment: z.optional(z.record(z.string(), z.string())),
  diskCache: z.optional(z.enum(diskCacheBackEnds)),
  /** Limit of the HTTP cache, bytes (`--disk-cache-size`). */
  cacheBytes: z.optional(z.number()),
  fileSystem: z.optional(z.enum(fileSystems)),
  /** Read-ahead of the slow device, KiB, 0 to 65536. */
  readAheadKiB: z.optional(z.number()),
});
export type Variant = z.infer<typeof variantSchema>;
