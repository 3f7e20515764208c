import { expect, test } from 'vitest';
import { createRandom } from '../statistics/random.ts';
import { expectedHitRate, populationFor, zipfSampler } from './zipf.ts';

/** Chances of ranks 1 to `population`, by their definition. */
function chances(skew: number, population: number): number[] {
  const weights = Array.from({ length: population }, (_, index) => (index + 1) ** -skew);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

test.each([0.5, 0.8, 1, 1.3])('draws ranks with their probabilities, skew %d', (skew) => {
  const [population, draws] = [10, 60_000];
  const rank = zipfSampler(skew, population, createRandom(3));
  const counts = Array.from({ length: population }, () => 0);
  for (let draw = 0; draw < draws; draw++) {
    const drawn = rank() - 1;
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  const chiSquared = chances(skew, population).reduce((sum, chance, index) => {
    const expected = chance * draws;
    return sum + ((counts[index] ?? 0) - expected) ** 2 / expected;
  }, 0);
  // 9 degrees of freedom: by chance above 27.9 in 1 of 1,000 cases.
  expect(chiSquared).toBeLessThan(27.9);
});

/** Hit rate of a least recently used cache of so many entries, played. */
function playedLru(skew: number, population: number, capacity: number, requests: number): number {
  const rank = zipfSampler(skew, population, createRandom(11));
  const held = new Set<number>();
  let hits = 0;
  for (let request = 0; request < requests; request++) {
    const key = rank();
    if (held.delete(key)) hits++;
    held.add(key);
    const [oldest] = held;
    if (held.size > capacity && oldest !== undefined) held.delete(oldest);
  }
  return hits / requests;
}

test.each([
  { skew: 0.8, population: 20_000, capacity: 1000, requests: 40_000 },
  { skew: 1.1, population: 5000, capacity: 200, requests: 20_000 },
  // Never full: only the first request for a key misses.
  { skew: 0.8, population: 20_000, capacity: Infinity, requests: 20_000 },
])('the expected hit rate is the played one: %o', (cache) => {
  const { skew, population, capacity, requests } = cache;
  const played = playedLru(skew, population, capacity, requests);
  expect(Math.abs(expectedHitRate(cache) - played)).toBeLessThan(0.012);
});

test('the population for a hit rate gives that hit rate', () => {
  const cache = { skew: 0.8, capacity: 36_000 * 0.85, requests: 510_000 };
  const population = populationFor(0.34, cache) ?? 0;
  expect(expectedHitRate({ ...cache, population })).toBeCloseTo(0.34, 2);
  // More hits than repetitions there are.
  expect(populationFor(0.9, { skew: 0.8, capacity: 1000, requests: 5 })).toBeNull();
  // Rank 1 alone has more.
  expect(populationFor(0.01, { skew: 3, capacity: 1000, requests: 10_000 })).toBeNull();
});
