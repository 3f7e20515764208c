import * as z from 'zod/mini';
import type { Sample } from './sample.ts';

const bucketSchema = z.object({ low: z.number(), high: z.number(), count: z.number() });

/** A histogram of whole ms: how many, and their sum. */
const timesSchema = z.object({ count: z.number(), sumMs: z.number() });

/**
 * What the browser's own histograms (UMA) count of its HTTP cache from the start of a launch to its end, in the network
 * service. Names: Chromium tools/metrics/histograms/metadata/net/histograms.xml.
 */
export const cacheHistogramsSchema = z.object({
  /** `HttpCache.Pattern`, ENTRY_USED: requests that the cache answered alone. */
  hits: z.number(),
  /** `HttpCache.Pattern`, every other answer: from the network, revalidated, not covered. */
  others: z.number(),
  /** `HttpCache.Experimental.Read.EntryContentSize`: size of the stored body, once for each piece read; empty where the back end does not record it. */
  contentBytes: z.array(bucketSchema),
  /** `HttpCache.OpenDiskEntry`. */
  open: timesSchema,
  /** `HttpCache.AccessToDone2.Used`: from the first access of the cache to the end of a hit. */
  used: timesSchema,
});
export type CacheHistograms = z.infer<typeof cacheHistogramsSchema>;

/** A launch as the histograms count it, beside what this program counted. */
export const launchHistogramsSchema = z.extend(cacheHistogramsSchema, {
  /** Number of the launch, as in its samples. */
  launch: z.number(),
  /** Reads of the cache in this launch, the one that warms it up included. */
  reads: z.number(),
  /** In what the two disagree; empty: in nothing. */
  disagreements: z.array(z.string()),
});
export type LaunchHistograms = z.infer<typeof launchHistogramsSchema>;

/** Headers, key and checksums of an entry, which its file holds beside the body: no more than that, bytes. */
const mostOverheadBytes = 8192;

/**
 * In what histograms disagree with the reads of a launch: there must be a hit for each, and every size of a body that was
 * read from the disk must be that of an entry. Entries of unknown size (null) make the sizes unknown.
 */
export function histogramDisagreements(
  { hits, contentBytes }: CacheHistograms,
  { reads, storedBytes }: { reads: number; storedBytes: readonly (number | null)[] },
): string[] {
  const found: string[] = [];
  if (hits !== reads)
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

/** Flags the samples of launches in which histograms and reads disagree: known only after the launch, so not in its lines. */
export function withHistogramFlags(
  samples: readonly Sample[],
  launches: readonly LaunchHistograms[] = [],
): Sample[] {
  const flagged = new Set(
    launches.filter(({ disagreements }) => disagreements.length > 0).map(({ launch }) => launch),
  );
  return samples.map((sample) =>
    flagged.has(sample.launch) && !sample.flags.includes('histograms')
      ? { ...sample, flags: [...sample.flags, 'histograms'] }
      : sample,
  );
}
