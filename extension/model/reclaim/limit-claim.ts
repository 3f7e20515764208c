import { greatest, knownSum } from '../extremes.ts';
import { byteSize, count, digits, milliseconds } from '../quantity.ts';
import type { Claim } from './hypothesis.ts';
import type { ReclaimPlan } from './plan.ts';
import { mostBytes, mostEntries } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

/** One of the limits, and how sizes under it are read and shown. */
interface Limit {
  limit: number;
  /** Size of the cache in a window; null: unknown. */
  sizeOf: (window: ReclaimWindow) => number | null;
  show: (value: number) => string;
  what: string;
}

/** The cache stays within its limit: by how much it exceeded it, and for how long. */
export function limitClaim(
  { limitEntries, limitBytes }: Pick<ReclaimPlan, 'limitEntries' | 'limitBytes'>,
  windows: readonly ReclaimWindow[],
): Claim {
  const limits: Limit[] = [
    { limit: limitEntries ?? Infinity, sizeOf: mostEntries, show: count, what: 'entries' },
    { limit: limitBytes, sizeOf: mostBytes, show: byteSize, what: 'in size' },
  ];
  const reached = limits
    .filter(({ limit }) => limit < Infinity)
    .map((limit) => reachOf(limit, windows));
  const verdicts = new Set(reached.map(({ verdict }) => verdict));
  return {
    name: 'the cache stays within its limit',
    verdict: (['refuted', 'unknown'] as const).find((each) => verdicts.has(each)) ?? 'supported',
    evidence: reached.map(({ evidence }) => evidence).join('; '),
  };
}

/** Whether the cache stayed within one of its limits. */
function reachOf(
  { limit, sizeOf, show, what }: Limit,
  windows: readonly ReclaimWindow[],
): Pick<Claim, 'verdict' | 'evidence'> {
  const most = greatest(windows.map((window) => sizeOf(window) ?? -Infinity));
  if (most === -Infinity)
    return { verdict: 'unknown', evidence: `${what}: unknown; the limit is ${show(limit)}` };
  const share = limit > 0 ? ` (${percent(most / limit)})` : '';
  const evidence = `at most ${show(most)} of ${show(limit)} ${what}${share}`;
  const above = windows.filter((window) => (sizeOf(window) ?? -Infinity) > limit);
  if (above.length === 0) return { verdict: 'supported', evidence };
  const times = above.map(({ system }) => system.overLimitMs);
  const overMs = times.includes(0) ? null : knownSum(times);
  const spanMs = above.reduce((sum, window) => sum + window.spanMs, 0);
  const long =
    overMs === null
      ? `in ${above.length} windows, ${milliseconds(spanMs)} together`
      : `for ${milliseconds(overMs)}`;
  return {
    verdict: 'refuted',
    evidence: `${evidence}, beyond it by ${show(most - limit)} ${long}`,
  };
}

/** One decimal near 100 %, where three digits would hide an excess. */
function percent(share: number): string {
  return share > 0.99 ? `${Number((100 * share).toFixed(1))} %` : `${digits(100 * share)} %`;
}
