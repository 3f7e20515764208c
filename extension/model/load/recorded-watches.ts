import type { Watch } from './observation.ts';

/**
 * The watches of a tab, those of DevTools only for the time in which the tab was recorded: outside it, their reports are
 * not stored. A tab that is recorded is always watched at page depth.
 */
export function recordedWatches(watches: readonly Watch[]): Watch[] {
  const recorded = watches.filter(({ depth }) => depth === 'page');
  return watches.flatMap((watch) =>
    watch.depth === 'devtools' ? recorded.flatMap((each) => overlap(watch, each)) : [watch],
  );
}

function overlap(watch: Watch, other: Watch): Watch[] {
  const fromMs = Math.max(watch.fromMs, other.fromMs);
  const toMs = Math.min(watch.toMs ?? Infinity, other.toMs ?? Infinity);
  return fromMs <= toMs ? [{ ...watch, fromMs, toMs: toMs === Infinity ? null : toMs }] : [];
}
