import { digits } from '../quantity.ts';
import type { EvictionPass } from './eviction-pass.ts';
import { median } from '../statistics/quantile.ts';

/** What an entry that went may have been chosen by. */
export const evictionOrders = ['byWrite', 'byUse', 'bySize', 'byUseAndSize'] as const;
export type EvictionOrder = (typeof evictionOrders)[number];

/** The orders in words, for tables. */
export const evictionOrderLabels: Readonly<Record<EvictionOrder, string>> = {
  byWrite: 'written longest ago',
  byUse: 'used longest ago',
  bySize: 'largest',
  byUseAndSize: 'time since use × size',
};

/** How well each order separates evicted from kept entries: medians over the eviction passes of a run. */
export interface PolicyShown {
  /** Share of pairs in that order: 1: it alone decided, 0.5: it did not matter. null: not known. */
  orders: Record<EvictionOrder, number | null>;
  /** Eviction passes with known orders. */
  reclaims: number;
  /** What was shown, in a sentence. */
  finding: string;
}

/** An order that puts fewer pairs right than that explains too little. */
const leastShare = 0.9;
/** Orders closer than this cannot be distinguished. */
const sameShare = 0.01;

/** Reads from the entries that went by what they were chosen. Assumes nothing of the policy. */
export function policyShown(passes: readonly EvictionPass[]): PolicyShown {
  const known = passes.filter(({ byWrite }) => byWrite !== null);
  const orders = Object.fromEntries(
    evictionOrders.map((order) => {
      const shares = known.map((pass) => pass[order]);
      return [order, median(shares.filter((share) => share !== null))];
    }),
  ) as PolicyShown['orders'];
  return { orders, reclaims: known.length, finding: findingOf(orders, known.length) };
}

function findingOf(orders: PolicyShown['orders'], reclaims: number): string {
  if (reclaims === 0) return 'No eviction pass has complete data on evicted and kept entries.';
  const share = (order: EvictionOrder) => orders[order] ?? 0;
  const [best = 'byWrite'] = evictionOrders.toSorted((one, other) => share(other) - share(one));
  const most = share(best);
  const percent = `${digits(100 * most)} %`;
  if (most < leastShare)
    return `No order explains which entries were evicted: the best, ${evictionOrderLabels[best]}, explains ${percent} of the pairs.`;
  const alike = evictionOrders.filter((order) => share(order) >= most - sameShare);
  const names = alike.map((order) => evictionOrderLabels[order]).join(', or ');
  const rest = evictionOrders
    .filter((order) => !alike.includes(order) && orders[order] !== null)
    .map((order) => `${evictionOrderLabels[order]} ${digits(100 * share(order))} %`);
  const others = rest.length === 0 ? '' : ` (${rest.join(', ')})`;
  const apart = alike.length > 1 ? ' This load does not distinguish these.' : '';
  return `The evicted entries were those ${names}: ${percent} of all pairs of an evicted and a kept entry are in that order${others}.${apart}`;
}
