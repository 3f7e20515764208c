import type { Comparison, GroupNames } from '../statistics/comparison.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import type { Reading } from '../statistics/readings.ts';
import { verdictSentence } from '../statistics/verdict-sentence.ts';
import { judgedFamily, type Verdict } from '../statistics/verdict.ts';
import type { EvictionPass } from './eviction-pass.ts';
import { quantileMs } from './histogram.ts';
import type { Claim } from './hypothesis.ts';
import type { ReclaimWindow } from './window.ts';

const quantiles = [
  { p: 0.5, name: 'the median latency' },
  { p: 0.99, name: 'the 99th percentile of latency' },
] as const;

const latencies = { unit: 'ms', greater: 'higher', lesser: 'lower', samples: 'sampling intervals' };
const byPass = { ...latencies, launch: 'eviction pass' };
const byStretch = { ...latencies, launch: 'stretch of time' };

/**
 * Latency is stable across eviction passes: windows with a pass, and those after it, against those before it, by the medians
 * of their quantiles, paired by pass. Where passes hardly pause, stretches of time since the first against those before it.
 * `isShort` says that processors were overloaded; the claim is then unknown.
 */
export function latencyClaims(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
  { windowMs, margin }: { windowMs: number; margin: number },
  inconclusive: string | null,
  isShort = false,
): Claim[] {
  const [firstPass] = passes;
  if (!firstPass) {
    const name = 'latency is stable across eviction passes';
    return [{ name, verdict: 'unknown', evidence: 'no eviction pass was observed' }];
  }
  const usable = usableWindows(windows, windowMs);
  const { before, during, after } = reclaimPhases(usable, passes);
  const enough = Math.min(fewestLaunches, passes.length);
  const pauses = [before, after].every((own) => passesIn(own) >= enough);
  const pairs = pauses
    ? [
        { of: during, against: before, when: 'during an eviction pass' },
        { of: after, against: before, when: 'after an eviction pass' },
      ]
    : [{ ...sinceFirst(usable, firstPass), when: 'since the first eviction pass' }];
  const compared = pairs.flatMap(({ of, against, when }) =>
    quantiles.map(({ p, name }) => ({
      names: { of: `${name} ${when}`, against: 'the one before' },
      of: readingsOf(of, p),
      against: readingsOf(against, p),
    })),
  );
  return judgedFamily(compared, { better: 'lower', margin, inconclusive }).map((each): Claim => {
    const name = `${each.names.of} is no higher than before`;
    const evidence = evidenceOf(each, pauses);
    if (pauses || !isShort) return { name, verdict: claimVerdict(each.verdict), evidence };
    // Around a pass other load varies by chance; over the whole run it may have changed once.
    const why = 'there was not enough processor time, perhaps more at one time than at another';
    return { name, verdict: 'unknown', evidence: `${why}: ${evidence}` };
  });
}

function evidenceOf(
  { comparison, verdict, names }: { comparison: Comparison; verdict: Verdict; names: GroupNames },
  isByPass: boolean,
): string {
  const measure = isByPass ? byPass : byStretch;
  const sentence = verdictSentence(comparison, verdict, names, measure).replace(/\.$/, '');
  if (isByPass || comparison.noInterval) return sentence;
  return `${sentence}; from the medians of ${stretches} stretches of time before and ${stretches} since`;
}

function claimVerdict({ outcome, direction }: Verdict): Claim['verdict'] {
  if (outcome === 'UNKNOWN') return 'unknown';
  return outcome !== 'SAME' && direction === 'greater' ? 'refuted' : 'supported';
}

/**
 * Number of stretches of time before the first pass, and as many since. Latency drifts, so neighbouring windows are alike
 * and each stretch is one observation: the longer, the more independent. In simulated runs of
 * 300 windows with an autocorrelation of 0.97 and a first pass after 40, drift alone refuted the claim in 20 of 60 by single
 * windows, in 9 of 100 by 6 stretches, in 4 of 100 by 3.
 */
const stretches = 3;

/** For a run in which hardly a window is without a pass. */
function sinceFirst(windows: readonly ReclaimWindow[], { atMs }: EvictionPass) {
  return {
    of: inStretches(
      windows.filter((window) => window.atMs >= atMs),
      stretches,
    ),
    against: inStretches(
      windows.filter((window) => window.atMs < atMs),
      0,
    ),
  };
}

function passesIn(windows: readonly PhaseWindow[]): number {
  return new Set(windows.map(({ reclaim }) => reclaim)).size;
}

/** The windows in stretches of equally many, numbered in order from `firstNumber`. */
function inStretches(windows: readonly ReclaimWindow[], firstNumber: number): PhaseWindow[] {
  return windows.map((window, index) => ({
    window,
    reclaim: firstNumber + Math.floor((index * stretches) / windows.length),
  }));
}

function readingsOf(windows: readonly PhaseWindow[], p: number): Reading[] {
  return windows.flatMap(({ window, reclaim }) => {
    const value = quantileMs(window.load.latency, p);
    return value === null ? [] : [{ value, launch: reclaim }];
  });
}

/** A window, with the number of the eviction pass, or of the stretch, that it belongs to. */
interface PhaseWindow {
  window: ReclaimWindow;
  reclaim: number;
}

/** Number of windows on either side of a pass that are compared with its own. */
const besides = 3;
/** Share of the window length; a shorter window has too few requests for quantiles. */
const leastSpan = 0.5;
/** Answers that a window needs for a meaningful 99th percentile. */
const fewestAnswers = 20;

/** The windows that are long enough, and have enough answers, for quantiles of their own. */
function usableWindows(windows: readonly ReclaimWindow[], windowMs: number): ReclaimWindow[] {
  return windows.filter(
    ({ spanMs, load }) => spanMs >= leastSpan * windowMs && load.latency.count >= fewestAnswers,
  );
}

/**
 * Windows around the eviction passes, in order of time: those in which one took place, and their neighbours without one. A
 * window between two passes counts once: before the second, or after the first.
 */
export function reclaimPhases(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
): Record<'before' | 'during' | 'after', PhaseWindow[]> {
  const reclaimIn = reclaimsIn(windows, passes);
  const phases: ReturnType<typeof reclaimPhases> = { before: [], during: [], after: [] };
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
  return windows.map((window) => {
    while ((spans[next]?.end ?? Infinity) < window.atMs - window.spanMs) next++;
    for (let at = next; ; at++) {
      const span = spans[at];
      if (!span || span.begin >= window.atMs) return null;
      if (isIn(span, window)) return at;
    }
  });
}

/** When a pass took place, ms. */
interface PassSpan {
  begin: number;
  end: number;
  isObserved: boolean;
}

/** An observed pass took place some time before it was observed. */
function spanOf({ how, atMs, durationMs }: EvictionPass): PassSpan {
  const long = durationMs ?? 0;
  return how === 'reported'
    ? { begin: atMs, end: atMs + long, isObserved: false }
    : { begin: atMs - long, end: atMs, isObserved: true };
}

/**
 * Whether a pass that touches a window was in it. A window's sample is taken a little after its end, so an observed pass
 * reaches into the next window too: it counts only where half of it, or of the window, is.
 */
function isIn({ begin, end, isObserved }: PassSpan, { atMs, spanMs }: ReclaimWindow): boolean {
  const shared = Math.min(end, atMs) - Math.max(begin, atMs - spanMs);
  return !isObserved || 2 * shared >= Math.min(end - begin, spanMs);
}
