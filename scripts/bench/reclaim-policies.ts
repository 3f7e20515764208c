import { createRandom } from '@cachescope/model/statistics/random.ts';
import { policyLabels, reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import { populationFor, zipfSampler } from '@cachescope/model/reclaim/zipf.ts';
import { evictionPolicies } from '@cachescope/origin/store/eviction-policies.ts';
import { LimitedStore } from '@cachescope/origin/store/limited-store.ts';

/** Limit, rate and duration of BBC's Belfrage cache-limit report (2020). */
const limit = { entries: 36_000, reclaimRatio: 0.3 };
const requests = 425 * 1200;
const skew = 0.8;

/**
 * Result of each policy on one Zipf trace: its hit rate, and the longest time that a request waited for an eviction
 * pass.
 */
export function measurePolicies(): void {
  const capacity = limit.entries * (1 - limit.reclaimRatio / 2);
  const population = populationFor(0.34, { skew, capacity, requests }) ?? 1;
  const title = `${requests.toLocaleString('en-US')} requests for keys 1 to ${population.toLocaleString('en-US')} by Zipf's law (skew ${skew}), 36,000 entries, ratio 0.3`;
  console.log(`${title}; with LRU 34 % hits are to be expected:`);
  for (const name of reclaimPolicies) {
    const rank = zipfSampler(skew, population, createRandom(1));
    let longestMs = 0;
    const store = new LimitedStore<true>({
      limit,
      policy: evictionPolicies[name](),
      reclaimed: ({ durationMs }) => (longestMs = Math.max(longestMs, durationMs)),
    });
    let hits = 0;
    const startedAt = performance.now();
    for (let request = 0; request < requests; request++) {
      const key = `z${rank()}`;
      if (store.get(key)) hits++;
      else store.set(key, true, 1024);
    }
    const eachUs = ((performance.now() - startedAt) / requests) * 1000;
    console.log(
      `${policyLabels[name].padEnd(22)} ${((100 * hits) / requests).toFixed(2)} % hits, ${eachUs.toFixed(2)} µs a request, longest reclaim ${longestMs.toFixed(1)} ms`,
    );
  }
}
