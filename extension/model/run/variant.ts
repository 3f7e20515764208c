import * as z from 'zod/mini';

/** File systems that a slow disk can have. */
export const fileSystems = ['ext4', 'xfs', 'btrfs'] as const;
export type FileSystem = (typeof fileSystems)[number];

/** Chromium's disk cache back ends (`--enable-features=...`, chromium src net/disk_cache). */
export const diskCacheBackEnds = ['simple', 'blockfile', 'sql'] as const;
export type DiskCacheBackEnd = (typeof diskCacheBackEnds)[number];

/**
 * True for a back end whose data stays in memory when the page cache is dropped: a second read of the same entry does
 * not read the disk. The SQL back end makes no read calls in a hit, so its files are probably mapped, and mapped pages
 * are not dropped: its first read of a 260 KB entry in a launch made 5 device reads of 240 KiB, later ones 0 to 3 of 12
 * KiB at most (Chromium 156).
 */
export function keepsPages(backEnd: DiskCacheBackEnd | undefined): boolean {
  return backEnd === 'sql';
}

/**
 * Settings of the browser and of the storage of its cache. An absent field: the default of the browser or of this
 * program.
 */
export const settingsSchema = z.object({
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
  /** Parameters of that back end by name, for example `SqlDiskCacheShardCount`. */
  diskCacheParameters: z.optional(z.record(z.string(), z.string())),
  /** Limit of the HTTP cache, bytes (`--disk-cache-size`). */
  cacheBytes: z.optional(z.number().check(z.positive(), z.lte(2047 * 1024 ** 2))),
  fileSystem: z.optional(z.enum(fileSystems)),
  /** Read-ahead of the slow device, KiB. */
  readAheadKiB: z.optional(z.number().check(z.gte(0), z.lte(65536), z.multipleOf(4))),
});
export type Settings = z.infer<typeof settingsSchema>;

/** One side of a comparison: named settings. */
export const variantSchema = z.extend(settingsSchema, {
  /** Unique in a run: letters, digits and `._=+-`, at most 60; `disk-cache=sql`. Names the variant in every output. */
  name: z.string().check(z.regex(/^[\w.=+-]{1,60}$/)),
});
export type Variant = z.infer<typeof variantSchema>;
