import { dictionaryCodings } from '../coding.ts';
import { mostStoredShare, recompressFeatures } from '../features/presets.ts';
import type { Variant } from '../run/variant.ts';
import type { StoredEntry } from './run.ts';

/** The variant that a sweep adds itself: the preset `recompress` (https://crbug.com/406988080). */
export const recompressed = {
  name: 'recompressed',
  enabledFeatures: recompressFeatures,
} satisfies Variant;

/** True for a series that is stored recompressed. */
export function isRecompressed({ variant }: { variant?: string | undefined }): boolean {
  return variant === recompressed.name;
}

/**
 * Result of populating the cache with recompression on: the most compressed response among the dictionary-compressed
 * ones.
 */
export interface Recompression {
  /** False: the browser stores such responses decoded although the features are on, or the stored size is unknown. */
  works: boolean;
  /** null: unknown. */
  storedBytes: number | null;
  decodedBytes: number;
}

/** Whether a browser recompresses, from the entries that it stored with the features on; null without such an entry. */
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
