/**
 * A cache must keep responses for different Accept-Encoding, Available-Dictionary and Dictionary-ID apart (RFC 9842
 * section 6.2).
 */
export const varyOnCoding = {
  vary: 'accept-encoding, available-dictionary, dictionary-id',
} as const;

/** Timed reads must never find a stale entry: a year is the longest lifetime that caches honour. */
export const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/**
 * The same, for the client's own cache only: whether a dictionary is used also depends on Origin and Sec-Fetch-*, and
 * with these in Vary a client's fetches of different modes would miss its own cache.
 */
export const cacheForeverPrivately = {
  'cache-control': 'private, max-age=31536000, immutable',
} as const;

export const neverStore = { 'cache-control': 'no-store' } as const;

/** Any page may read and time these responses, cross-origin isolated pages too: the content of a workload is public. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;
