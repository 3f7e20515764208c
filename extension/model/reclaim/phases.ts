import type { EvictionPass } from './eviction-pass.ts';
import type { ReclaimWindow } from './window.ts';

/** A window, with the number of the eviction pass that it belongs to. */
export interface PhaseWindow {
  window: ReclaimWindow;
  reclaim: number;
}

/** Windows around the eviction passes: those in which one took place, and their neighbours without one. */
export interface ReclaimPhases {
  before: PhaseWindow[];
  during: PhaseWindow[];
  after: PhaseWindow[];
}

/** Number of windows on either side of a pass that are compared with its own. */
const besides = 3;
/** Share of the window length; a shorter window has too few requests for quantiles. */
const leastSpan = 0.5;
/** Answers that a window needs for a meaningful 99th percentile. */
const fewestAnswers = 20;

/** The windows that are long enough, and have enough answers, for quantiles of their own. */
export function usableWindows(
  windows: readonly ReclaimWindow[],
  windowMs: number,
): ReclaimWindow[] {
  return windows.filter(
    ({ spanMs, load }) => spanMs >= leastSpan * windowMs && load.latency.count >= fewestAnswers,
  );
}

/**
 * Sorts windows by their position relative to the passes, in order of time. A window between two passes counts once: before
 * the second, or after the first.
 */
export function reclaimPhases(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
): ReclaimPhases {
  const reclaimIn = reclaimsIn(windows, passes);
  const phases: ReclaimPhases = { before: [], during: [], after: [] };
  const taken = new Set<number>();
  const beside = (index: number, step: 1 | -1, reclaim: number): PhaseWindow[] => {
    const found: PhaseWindow[] = [];
    for (let at = index + step; found.length < besides; at += step) {
      const window = windows[at];
      if (!window || reclaimIn[at] !== null || taken.has(at)) break;
      taken.add(at);
      found.push({ window, reclaim });
    }
    return found;
  };
  for (const [index, window] of windows.entries()) {
    const reclaim = reclaimIn[index] ?? null;
    if (reclaim === null) continue;
    phases.during.push({ window, reclaim });
    phases.before.push(...beside(index, -1, reclaim));
    phases.after.push(...beside(index, 1, reclaim));
  }
  return phases;
}

/** Number of the first pass in each window; null without one. */
function reclaimsIn(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
): (number | null)[] {
  const spans = passes.map(spanOf);
  let next = 0;
  return windows.map(({ atMs, spanMs }) => {
    while ((spans[next]?.end ?? Infinity) < atMs - spanMs) next++;
    return (spans[next]?.begin ?? Infinity) < atMs ? next : null;
  });
}

/** An observed pass took place some time before it was observed. */
function spanOf({ how, atMs, durationMs }: EvictionPass): { begin: number; end: number } {
  const long = durationMs ?? 0;
  return how === 'reported' ? { begin: atMs, end: atMs + long } : { begin: atMs - long, end: atMs };
}
