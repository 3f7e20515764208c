/** A cache must keep answers to other Accept-Encoding, Available-Dictionary and Dictionary-ID apart (RFC 9842 section 6.2). */
export const varyOnCoding = {
  vary: 'accept-encoding, available-dictionary, dictionary-id',
} as const;

/** Timed reads must never find a stale entry: a year is the longest that caches honour. */
export const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/**
 * The same, in the reader's own cache only: whether a dictionary is used depends on Origin and Sec-Fetch-* too, and naming
 * these in Vary would make one reader's fetches of different modes miss its own cache.
 */
export const cacheForeverPrivately = {
  'cache-control': 'private, max-age=31536000, immutable',
} as const;

export const neverStore = { 'cache-control': 'no-store' } as const;

/** What any page may read and time, isolated pages too: the content of a workload is no secret. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;
