/** A busy Chromium may ask for a response again right after it had it whole; each such read stores it anew. */
const mostStoring = 3;

/** What the origin served last for a resource that is now in the cache. */
export interface StoredRead<Served> {
  served: Served;
  /** Reads that the origin answered, 1 or more: above 1, Chromium asked again for a response that it had. */
  storingReads: number;
}

/**
 * Reads a resource until Chromium answers from its cache, which proves that the response is stored.
 *
 * @param read reads it once; null: no request reached the origin.
 * @returns null: the origin answered every read, or none, so nothing is known to be stored.
 */
export async function readUntilStored<Served>(
  read: () => Promise<Served | null>,
): Promise<StoredRead<Served> | null> {
  let last: Served | null = null;
  for (let storingReads = 0; storingReads <= mostStoring; storingReads++) {
    const served = await read();
    if (served === null) return last === null ? null : { served: last, storingReads };
    last = served;
  }
  return null;
}
