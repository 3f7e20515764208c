import type { ReclaimMoment } from './moment.ts';
import type { ReclaimWindow } from './window.ts';

/** A window, and the number of the reclaim that it is looked at for. */
export interface PhaseWindow {
  window: ReclaimWindow;
  reclaim: number;
}

/** Windows around the reclaims: the ones in which one took place, and those next to them without any. */
export interface ReclaimPhases {
  before: PhaseWindow[];
  during: PhaseWindow[];
  after: PhaseWindow[];
}

/** Windows on either side of a reclaim that are compared with its own. */
const besides = 3;
/** Of a window's length: what is shorter has too few requests for quantiles. */
const leastSpan = 0.5;
/** Answers that a window needs for its 99th percentile to mean anything. */
const fewestAnswers = 20;

/** The windows that are long enough, and have answers enough, for quantiles of their own. */
export function usableWindows(
  windows: readonly ReclaimWindow[],
  windowMs: number,
): ReclaimWindow[] {
  return windows.filter(
    ({ spanMs, load }) => spanMs >= leastSpan * windowMs && load.latency.count >= fewestAnswers,
  );
}

/**
 * Sorts windows by their place to the reclaims; all in the order of their times. A window between two reclaims is before the
 * second, or after the first, and never both.
 */
export function reclaimPhases(
  windows: readonly ReclaimWindow[],
  moments: readonly ReclaimMoment[],
): ReclaimPhases {
  const reclaimIn = reclaimsIn(windows, moments);
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

/** Number of the first reclaim in each window; null without any. */
function reclaimsIn(
  windows: readonly ReclaimWindow[],
  moments: readonly ReclaimMoment[],
): (number | null)[] {
  const spans = moments.map(spanOf);
  let next = 0;
  return windows.map(({ atMs, spanMs }) => {
    while ((spans[next]?.end ?? Infinity) < atMs - spanMs) next++;
    return (spans[next]?.begin ?? Infinity) < atMs ? next : null;
  });
}

/** What was only found took place somewhere before. */
function spanOf({ how, atMs, durationMs }: ReclaimMoment): { begin: number; end: number } {
  const long = durationMs ?? 0;
  return how === 'told' ? { begin: atMs, end: atMs + long } : { begin: atMs - long, end: atMs };
}
