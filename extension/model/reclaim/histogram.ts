import * as z from 'zod/mini';

/**
 * A saved histogram of times: the exact values, and the buckets with a count above 0. Times in ms. Empty: count 0, and min
 * and max null.
 */
export const savedHistogramSchema = z.object({
  count: z.number(),
  sumMs: z.number(),
  minMs: z.nullable(z.number()),
  maxMs: z.nullable(z.number()),
  /** Bucket and count, alternating, buckets rising. */
  buckets: z.array(z.number()),
});
export type SavedHistogram = z.infer<typeof savedHistogramSchema>;

/** Buckets per doubling, as a power of 2: a value is less than 0.8 % from the middle of its bucket. */
const precisionBits = 6;
const firstLinear = 2 ** (precisionBits + 1);
/** 2^38 µs are three days; longer times are counted as that long. */
const longestUs = 2 ** 38;

/** The bucket of a time in whole µs. Buckets are one µs wide up to 128 µs, then 64 per doubling. */
export function bucketOf(us: number): number {
  const value = Math.min(Math.max(0, Math.round(us)), longestUs);
  if (value < firstLinear) return value;
  const shift = Math.floor(Math.log2(value)) - precisionBits;
  return (shift << precisionBits) + Math.floor(value / 2 ** shift);
}

/** First and last whole µs of a bucket. */
export function bucketRangeUs(bucket: number): { first: number; last: number } {
  if (bucket < firstLinear) return { first: bucket, last: bucket };
  const shift = (bucket >> precisionBits) - 1;
  const first = (bucket - (shift << precisionBits)) * 2 ** shift;
  return { first, last: first + 2 ** shift - 1 };
}

/** Counts times in log-linear buckets, as HdrHistogram does (Gil Tene): any quantile of any number of times, in constant space. */
export class TimeHistogram {
  readonly #counts = new Map<number, number>();
  readonly #exact: Omit<SavedHistogram, 'buckets'> = {
    count: 0,
    sumMs: 0,
    minMs: null,
    maxMs: null,
  };

  /** Adds a time; a negative one counts as 0. */
  add(ms: number): void {
    const time = Math.max(0, ms);
    const buckets = [bucketOf(time * 1000), 1];
    this.merge({ count: 1, sumMs: time, minMs: time, maxMs: time, buckets });
  }

  /** Adds all counts of a saved histogram. */
  merge(saved: SavedHistogram): void {
    const { count, sumMs, minMs, maxMs } = saved;
    for (const [bucket, number] of bucketCounts(saved))
      this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + number);
    this.#exact.count += count;
    this.#exact.sumMs += sumMs;
    if (minMs !== null) this.#exact.minMs = Math.min(this.#exact.minMs ?? minMs, minMs);
    if (maxMs !== null) this.#exact.maxMs = Math.max(this.#exact.maxMs ?? maxMs, maxMs);
  }

  saved(): SavedHistogram {
    const buckets = [...this.#counts].toSorted(([one], [other]) => one - other).flat();
    return { ...this.#exact, sumMs: Math.round(this.#exact.sumMs * 1000) / 1000, buckets };
  }
}

/** The buckets of a histogram, rising, each with its count. */
export function* bucketCounts({
  buckets,
}: SavedHistogram): Generator<[bucket: number, count: number], void> {
  for (let index = 0; index + 1 < buckets.length; index += 2)
    yield [buckets[index] ?? 0, buckets[index + 1] ?? 0];
}

/** Merges saved histograms. */
export function mergedHistogram(histograms: Iterable<SavedHistogram>): SavedHistogram {
  const merged = new TimeHistogram();
  for (const histogram of histograms) merged.merge(histogram);
  return merged.saved();
}

/**
 * The time that the share `p` (0 to 1) of the times does not exceed, ms: the middle of its bucket, limited to the exact
 * minimum and maximum. null when the histogram is empty.
 */
export function quantileMs(histogram: SavedHistogram, p: number): number | null {
  const { count, minMs, maxMs } = histogram;
  if (count === 0 || minMs === null || maxMs === null) return null;
  if (p >= 1) return maxMs;
  const wanted = Math.max(1, Math.ceil(p * count));
  let seen = 0;
  for (const [bucket, number] of bucketCounts(histogram)) {
    seen += number;
    if (seen < wanted) continue;
    const { first, last } = bucketRangeUs(bucket);
    return Math.min(maxMs, Math.max(minMs, (first + last) / 2000));
  }
  return maxMs;
}

/** Exact mean of the times, ms; null when the histogram is empty. */
export function meanMs({ count, sumMs }: SavedHistogram): number | null {
  return count === 0 ? null : sumMs / count;
}
