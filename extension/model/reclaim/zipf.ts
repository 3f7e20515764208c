/**
 * Draws ranks 1 to `population` with a chance of rank^-skew, in constant time, by rejection-inversion (Hörmann and
 * Derflinger, ACM TOMACS 6, 1996). `skew` is above 0, and may be 1. `random` gives numbers in [0, 1).
 */
export function zipfSampler(skew: number, population: number, random: () => number): () => number {
  const weight = (rank: number): number => rank ** -skew;
  // The integral of the weight, and its inverse; expm1 and log1p keep their digits where the skew is near 1.
  const integral = (x: number): number => {
    const log = Math.log(x);
    return log * expm1Over((1 - skew) * log);
  };
  const inverse = (y: number): number => Math.exp(y * log1pOver(Math.max(-1, y * (1 - skew))));
  const first = integral(1.5) - 1;
  const last = integral(population + 0.5);
  const sure = 2 - inverse(integral(2.5) - weight(2));
  return () => {
    for (;;) {
      const y = last + random() * (first - last);
      const x = inverse(y);
      const rank = Math.min(population, Math.max(1, Math.round(x)));
      if (rank - x <= sure || y >= integral(rank + 0.5) - weight(rank)) return rank;
    }
  };
}

/** (e^x - 1) / x. */
function expm1Over(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
}

/** log(1 + x) / x. */
function log1pOver(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
}

/** Number of ranks that share one chance, for sums over a large population, and the chance of each of them. */
type RankGroup = Record<'chance' | 'ranks', number>;

const exactRanks = 1000;
const groupGrowth = 1.02;

/** The chances of all ranks: the first thousand one by one, the others in groups within 2 % of each other's rank. */
function rankGroups(skew: number, population: number): RankGroup[] {
  const groups: RankGroup[] = [];
  let total = 0;
  for (let rank = 1; rank <= population;) {
    const end = rank <= exactRanks ? rank : Math.min(population, Math.floor(rank * groupGrowth));
    const ranks = end - rank + 1;
    const chance = Math.sqrt(rank * end) ** -skew;
    groups.push({ chance, ranks });
    total += chance * ranks;
    rank = end + 1;
  }
  return groups.map(({ chance, ranks }) => ({ chance: chance / total, ranks }));
}

/** What a hit rate depends on. */
export interface ZipfCache {
  skew: number;
  population: number;
  /** Entries that the cache holds on average once it is full; Infinity: it never is. */
  capacity: number;
  /** Requests from the empty cache on. */
  requests: number;
}

/**
 * Share of hits to expect of a cache that begins empty and keeps the least recently used (0 to 1). By Che's approximation
 * (Che, Tung, Wang 2002; why it is good: Fricker, Robert, Roberts 2012): an entry stays for one characteristic number of
 * requests, the one in which as many different keys come as the cache holds; over a run that is no longer than the run is.
 * A cache that does not heed use, as a least recently written one, hits a little less often.
 */
export function expectedHitRate({ skew, population, capacity, requests }: ZipfCache): number {
  const groups = rankGroups(skew, population);
  const stay = Math.min(characteristicRequests(groups, capacity), requests);
  // The mean over the run of the chance that a key came in the last min(stay, so far) requests.
  const hits = groups.reduce((sum, { chance, ranks }) => {
    const warmUp = stay - -Math.expm1(-chance * stay) / chance;
    const steady = (requests - stay) * -Math.expm1(-chance * stay);
    return sum + chance * ranks * (warmUp + steady);
  }, 0);
  return hits / requests;
}

/** Requests in which so many different keys are expected. Infinity when all keys fit. */
function characteristicRequests(groups: readonly RankGroup[], capacity: number): number {
  const different = (stay: number): number =>
    groups.reduce((sum, { chance, ranks }) => sum - ranks * Math.expm1(-chance * stay), 0);
  const keys = groups.reduce((sum, { ranks }) => sum + ranks, 0);
  if (capacity >= keys) return Infinity;
  let [low, high] = [0, 1];
  while (different(high) < capacity && high < 1e15) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (different(middle) < capacity) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Largest population that is looked for. */
const mostKeys = 1e9;

/**
 * The population for which a hit rate is to be expected; null when none up to 10^9 keys has it: the skew is too great for so
 * few hits, or the requests too few for so many.
 */
export function populationFor(
  hitRate: number,
  cache: Omit<ZipfCache, 'population'>,
): number | null {
  const rate = (population: number): number => expectedHitRate({ ...cache, population });
  if (rate(1) < hitRate || rate(mostKeys) > hitRate) return null;
  let [low, high] = [1, mostKeys];
  while (high - low > 1 && high / low > 1.0005) {
    const middle = Math.round(Math.sqrt(low * high));
    if (middle === low || middle === high) break;
    if (rate(middle) > hitRate) low = middle;
    else high = middle;
  }
  return high;
}
