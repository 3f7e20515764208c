import { greatest } from '../extremes.ts';
import { byteSize, count, digits, milliseconds } from '../quantity.ts';
import type { Claim } from './hypothesis.ts';
import type { ReclaimPlan } from './plan.ts';
import type { ReclaimWindow } from './window.ts';

/** How the cache's size compared with one of its limits. */
interface Reach {
  limit: number;
  /** The maximum seen; null: none was seen. */
  most: number | null;
  /** Windows in which, or at whose end, the limit was exceeded. */
  above: ReclaimWindow[];
}

type Limits = Pick<ReclaimPlan, 'limitEntries' | 'limitBytes'>;

function reachOf(
  windows: readonly ReclaimWindow[],
  limit: number,
  value: (window: ReclaimWindow) => number | null,
): Reach {
  const known = windows.map((window) => ({ window, value: value(window) }));
  const seen = known.filter((each) => each.value !== null) as {
    window: ReclaimWindow;
    value: number;
  }[];
  return {
    limit,
    most: seen.length === 0 ? null : greatest(seen.map((each) => each.value)),
    above: seen.filter((each) => each.value > limit).map(({ window }) => window),
  };
}

const entriesOf = ({ system }: ReclaimWindow): number | null =>
  system.mostEntries ?? system.entries;
const bytesOf = ({ system }: ReclaimWindow): number | null => system.mostBytes ?? system.bytes;

/** The cache stays within its limit: by how much it exceeded it, and for how long. */
export function limitClaim(plan: Limits, windows: readonly ReclaimWindow[]): Claim {
  const name = 'the cache stays within its limit';
  const reaches = [
    ...(plan.limitEntries === null
      ? []
      : [{ text: entriesText, reach: reachOf(windows, plan.limitEntries, entriesOf) }]),
    { text: bytesText, reach: reachOf(windows, plan.limitBytes, bytesOf) },
  ];
  const evidence = reaches.map(({ text, reach }) => text(reach)).join('; ');
  if (reaches.some(({ reach }) => reach.above.length > 0))
    return { name, verdict: 'refuted', evidence };
  const isKnown = reaches.every(({ reach }) => reach.most !== null);
  return { name, verdict: isKnown ? 'supported' : 'unknown', evidence };
}

const entriesText = (reach: Reach): string => reachText(reach, count, 'entries');
const bytesText = (reach: Reach): string => reachText(reach, byteSize, 'in size');

function reachText({ limit, most, above }: Reach, show: (value: number) => string, what: string) {
  if (most === null) return `${what}: unknown; the limit is ${show(limit)}`;
  const share = limit > 0 ? ` (${percent(most / limit)})` : '';
  const text = `at most ${show(most)} of ${show(limit)} ${what}${share}`;
  if (above.length === 0) return text;
  const times = above.map(({ system }) => system.overLimitMs);
  const overMs = times.every((time) => time !== null && time > 0)
    ? times.reduce<number>((sum, time) => sum + (time ?? 0), 0)
    : null;
  const spanMs = above.reduce((sum, window) => sum + window.spanMs, 0);
  const long =
    overMs === null
      ? `in ${above.length} windows, ${milliseconds(spanMs)} together`
      : `for ${milliseconds(overMs)}`;
  return `${text}, beyond it by ${show(most - limit)} ${long}`;
}

/** One decimal near 100 %, where three digits would hide an excess. */
function percent(share: number): string {
  return share > 0.99 ? `${Number((100 * share).toFixed(1))} %` : `${digits(100 * share)} %`;
}
