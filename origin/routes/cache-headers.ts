/** A cache must keep answers to other Accept-Encoding and Available-Dictionary apart (RFC 9842 section 6.2). */
export const varyOnCoding = { vary: 'accept-encoding, available-dictionary' } as const;

/** Timed reads must never find a stale entry: a year is the longest that caches honour. */
export const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

export const neverStore = { 'cache-control': 'no-store' } as const;

/** What any page may read and time, isolated pages too: the content of a workload is no secret. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;
