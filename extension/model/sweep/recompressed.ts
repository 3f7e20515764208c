import { dictionaryCodings } from '../coding.ts';
import type { Variant } from '../run/variant.ts';
import type { StoredEntry } from './run.ts';

/**
 * The variant that a sweep adds by itself: Chromium recompresses dictionary-compressed responses as Zstandard before it stores
 * them (net/http/cache_body_compressor.cc, https://crbug.com/406988080). Both features are needed, both are off by default.
 */
export const recompressed = {
  name: 'recompressed',
  enabledFeatures: ['HttpCacheZstdCompression', 'HttpCacheZstdDecompression'],
} satisfies Variant;

/** True for what lies recompressed in the cache. */
export function isRecompressed({ variant }: { variant?: string | undefined }): boolean {
  return variant === recompressed.name;
}

/** An entry is recompressed when it takes at most this share of its decoded bytes: stored decoded, it takes more than all. */
const mostStoredShare = 0.9;

/** What populating the cache showed of a browser's recompression: its most compressed dictionary-compressed response. */
export interface Recompression {
  /** False: the browser stores such responses decoded in spite of the features, or the stored size is unknown. */
  works: boolean;
  /** null: unknown. */
  storedBytes: number | null;
  decodedBytes: number;
}

/** Whether a browser recompresses, by the entries that it stored with the features on; null without such an entry. */
export function recompressionOf(stored: readonly StoredEntry[]): Recompression | null {
  const own = stored.filter(
    (entry) => isRecompressed(entry) && dictionaryCodings.includes(entry.arm),
  );
  const share = ({ storedBytes, decodedBytes }: StoredEntry): number =>
    storedBytes === null ? Number.POSITIVE_INFINITY : storedBytes / decodedBytes;
  const [smallest] = own.toSorted((one, other) => share(one) - share(other));
  if (!smallest) return null;
  const { storedBytes, decodedBytes } = smallest;
  return { works: share(smallest) <= mostStoredShare, storedBytes, decodedBytes };
}
