import * as z from 'zod/mini';
import type { Sample } from './sample.ts';

const bucketSchema = z.object({ low: z.number(), high: z.number(), count: z.number() });

/** A histogram of whole ms: the count of values, and their sum. */
const timesSchema = z.object({ count: z.number(), sumMs: z.number() });

/**
 * The browser's own histograms (UMA) of its HTTP cache from the start of a launch to its end, in the network service.
 * Names: Chromium tools/metrics/histograms/metadata/net/histograms.xml.
 */
export const cacheHistogramsSchema = z.object({
  /** `HttpCache.Pattern`, ENTRY_USED: requests that the cache served without the network. */
  hits: z.number(),
  /** `HttpCache.Pattern`, every other value: served by the network, revalidated, not covered. */
  others: z.number(),
  /**
   * `HttpCache.Experimental.Read.EntryContentSize`: size of the stored body, recorded once per piece read; empty where
   * the back end does not record it.
   */
  contentBytes: z.array(bucketSchema),
  /** `HttpCache.OpenDiskEntry`. */
  open: timesSchema,
  /** `HttpCache.AccessToDone2.Used`: from the first access of the cache to the end of a hit. */
  used: timesSchema,
});
export type CacheHistograms = z.infer<typeof cacheHistogramsSchema>;

/** The histograms of one launch, with this program's own count of reads. */
export const launchHistogramsSchema = z.extend(cacheHistogramsSchema, {
  /** Number of the launch, as in its samples. */
  launch: z.number(),
  /** Reads of the cache in this launch, including the warm-up read. */
  reads: z.number(),
  /** Differences between the two, in sentences; empty: none. */
  disagreements: z.array(z.string()),
});
export type LaunchHistograms = z.infer<typeof launchHistogramsSchema>;

/** Maximum size of headers, key and checksums, which the file of an entry holds beside the body, bytes. */
const mostOverheadBytes = 8192;

/**
 * Differences between the histograms and the reads of a launch: each read must be a hit, and every body size read from
 * the disk must be the size of an entry. An entry of unknown size (null) skips the check of sizes. Up to `fallbacks` reads may be no hit: the network
 * answered them, because a read of the disk failed on purpose.
 */
export function histogramDisagreements(
  { hits, contentBytes }: CacheHistograms,
  {
    reads,
    storedBytes,
    fallbacks = 0,
  }: { reads: number; storedBytes: readonly (number | null)[]; fallbacks?: number },
): string[] {
  const found: string[] = [];
  if (hits > reads || hits < reads - fallbacks)
    found.push(`HttpCache.Pattern counts ${hits} hits, and ${reads} reads were made`);
  const known = storedBytes.filter((bytes) => bytes !== null);
  if (known.length < storedBytes.length) return found;
  const strange = contentBytes.filter(
    ({ low, high }) =>
      !known.some((bytes) => low <= bytes && high > Math.max(0, bytes - mostOverheadBytes)),
  );
  if (strange.length > 0) {
    const sizes = strange.map(({ low, high }) => `${low} to ${high - 1} bytes`).join(', ');
    found.push(`HttpCache.Experimental.Read.EntryContentSize holds ${sizes}: no entry read has it`);
  }
  return found;
}

/** Makes the function that flags a sample of a launch whose histograms disagree with the reads. */
export function histogramFlags(
  launches: readonly LaunchHistograms[] = [],
): (sample: Sample) => Sample {
  const flagged = new Set(
    launches.filter(({ disagreements }) => disagreements.length > 0).map(({ launch }) => launch),
  );
  return (sample) =>
    flagged.has(sample.launch) && !sample.flags.includes('histograms')
      ? { ...sample, flags: [...sample.flags, 'histograms'] }
      : sample;
}

/** Flags samples whose launch has disagreements: they are known only after the launch, so no sample line has the flag. */
export function withHistogramFlags(
  samples: readonly Sample[],
  launches?: readonly LaunchHistograms[],
): Sample[] {
  return samples.map(histogramFlags(launches));
}
