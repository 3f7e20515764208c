import { greatest, knownSum } from '../extremes.ts';
import { byteSize, count, digits, milliseconds } from '../quantity.ts';
import type { Claim } from './hypothesis.ts';
import type { ReclaimPlan } from './plan.ts';
import { mostBytes, mostEntries, sampledText } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

/** One of the limits, and how sizes under it are read and shown. */
interface Limit {
  limit: number;
  /** Size of the cache in a window; null: unknown. */
  sizeOf: (window: ReclaimWindow) => number | null;
  show: (value: number) => string;
  what: string;
}

/** Share of the windows in which the size must be known. */
const leastKnown = 0.5;
/** One of this many at the end must be known: the last window is short, perhaps too short for another sample. */
const lastWindows = 2;

/**
 * The cache stays within its limit: by how much it exceeded it, and for how long. One known size above the limit refutes it;
 * it is supported only when the size is known in at least half of the windows, and in one of the last two.
 */
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
  const sizes = windows.map((window) => sizeOf(window) ?? -Infinity);
  const most = greatest(sizes);
  if (!isKnown(most))
    return { verdict: 'unknown', evidence: `${what}: unknown; the limit is ${show(limit)}` };
  const share = limit > 0 ? ` (${percent(most / limit)})` : '';
  const known = sizes.filter(isKnown).length;
  const sampled = sampledText({ known, windows: windows.length });
  const evidence = `at most ${show(most)} of ${show(limit)} ${what}${share}${sampled}`;
  const above = windows.filter((_, index) => (sizes[index] ?? -Infinity) > limit);
  const isEnough = known >= leastKnown * windows.length && sizes.slice(-lastWindows).some(isKnown);
  if (above.length === 0) return { verdict: isEnough ? 'supported' : 'unknown', evidence };
  const times = above.map(({ system }) => system.overLimitMs);
  const overMs = times.includes(0) ? null : knownSum(times);
  const spanMs = above.reduce((sum, window) => sum + window.spanMs, 0);
  const long =
    overMs === null
      ? `in ${above.length} sampling intervals, ${milliseconds(spanMs)} together`
      : `for ${milliseconds(overMs)}`;
  return {
    verdict: 'refuted',
    evidence: `${evidence}, beyond it by ${show(most - limit)} ${long}`,
  };
}

function isKnown(size: number): boolean {
  return size > -Infinity;
}

/** One decimal near 100 %, where three digits would hide an excess. */
function percent(share: number): string {
  return share > 0.99 ? `${Number((100 * share).toFixed(1))} %` : `${digits(100 * share)} %`;
}
