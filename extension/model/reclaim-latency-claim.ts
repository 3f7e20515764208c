import { createRandom } from './random.ts';
import { quantileMs } from './reclaim-histogram.ts';
import type { Claim, ClaimVerdict } from './reclaim-hypothesis.ts';
import type { ReclaimMoment } from './reclaim-moment.ts';
import type { ReclaimWindow } from './reclaim-window.ts';
import { compare, type Comparison } from './statistics/comparison.ts';
import type { Reading } from './statistics/readings.ts';
import { verdictSentence } from './statistics/verdict-sentence.ts';
import { judge, type Verdict } from './statistics/verdict.ts';

/** Windows around the reclaims: the ones in which one took place, and those next to them without any. */
export interface ReclaimPhases {
  before: PhaseWindow[];
  during: PhaseWindow[];
  after: PhaseWindow[];
}

interface PhaseWindow {
  window: ReclaimWindow;
  /** Number of the reclaim. */
  reclaim: number;
}

/** Windows on either side that are compared with the one of a reclaim. */
const besides = 3;
/** Of a window's length: what is shorter has too few requests for quantiles. */
const leastSpan = 0.5;
/** Answers that a window needs for its 99th percentile to mean anything. */
const fewestAnswers = 20;

/** Sorts the windows by their place to the reclaims. A window between two reclaims is after the first, or before the second. */
export function reclaimPhases(
  windows: readonly ReclaimWindow[],
  moments: readonly ReclaimMoment[],
  windowMs: number,
): ReclaimPhases {
  const usable = windows.filter(
    ({ spanMs, load }) => spanMs >= leastSpan * windowMs && load.latency.count >= fewestAnswers,
  );
  const holds = ({ atMs, spanMs }: ReclaimWindow, moment: ReclaimMoment): boolean => {
    // What was only found lies somewhere before.
    const [begin, end] =
      moment.how === 'told'
        ? [moment.atMs, moment.atMs + (moment.durationMs ?? 0)]
        : [moment.atMs - (moment.durationMs ?? 0), moment.atMs];
    return begin < atMs && end >= atMs - spanMs;
  };
  const reclaimOf = usable.map((window) => moments.findIndex((moment) => holds(window, moment)));
  const phases: ReclaimPhases = { before: [], during: [], after: [] };
  const quiet = (index: number): ReclaimWindow[] => {
    const window = usable[index];
    return window && reclaimOf[index] === -1 ? [window] : [];
  };
  const taken = new Set<number>();
  const beside = (indices: readonly number[], reclaim: number): PhaseWindow[] => {
    const found: PhaseWindow[] = [];
    for (const index of indices) {
      const [window] = quiet(index);
      if (!window || taken.has(index)) break;
      taken.add(index);
      found.push({ window, reclaim });
    }
    return found;
  };
  for (const [index, reclaim] of reclaimOf.entries()) {
    const window = usable[index];
    if (!window || reclaim === -1) continue;
    phases.during.push({ window, reclaim });
    const steps = Array.from({ length: besides }, (_, step) => step + 1);
    phases.before.push(
      ...beside(
        steps.map((step) => index - step),
        reclaim,
      ),
    );
    phases.after.push(
      ...beside(
        steps.map((step) => index + step),
        reclaim,
      ),
    );
  }
  return phases;
}

const quantiles = [
  { p: 0.5, name: 'median latency' },
  { p: 0.99, name: '99th percentile' },
] as const;

/**
 * Latency is stable across reclaims: the windows with a reclaim, and those after it, against those before it, by the medians
 * of their quantiles, paired by reclaim. Where reclaims never pause, all windows since the first against those before it.
 */
export function latencyClaims(
  windows: readonly ReclaimWindow[],
  moments: readonly ReclaimMoment[],
  { windowMs, margin, seed }: { windowMs: number; margin: number; seed: number },
): Claim[] {
  const phases = reclaimPhases(windows, moments, windowMs);
  const pauses = phases.before.length > 0 && phases.after.length > 0;
  const pairs = pauses ? pairsAround(phases) : pairsSince(windows, moments, windowMs);
  if (moments.length === 0) return [neverReached()];
  const compared = pairs.flatMap(({ of, against, names }) =>
    quantiles.map(({ p, name }) => ({
      name,
      names,
      comparison: compare(
        readingsOf(of, p),
        readingsOf(against, p),
        { random: createRandom(seed), resamples: 2000 },
        names,
      ),
    })),
  );
  const verdicts = judge(
    compared.map(({ comparison }) => comparison),
    { better: 'lower', margin },
  );
  return compared.map((each, index) => claimOf(each, verdicts[index]));
}

function neverReached(): Claim {
  const evidence = 'the limit was never reached';
  return { name: 'latency is stable across reclaims', verdict: 'unknown', evidence };
}

interface Pair {
  of: PhaseWindow[];
  against: PhaseWindow[];
  names: { of: string; against: string };
}

function pairsAround({ before, during, after }: ReclaimPhases): Pair[] {
  const against = 'before it';
  return [
    { of: during, against: before, names: { of: 'during a reclaim', against } },
    { of: after, against: before, names: { of: 'after a reclaim', against } },
  ];
}

/** Where no window is without a reclaim. Each window counts for itself. */
function pairsSince(
  windows: readonly ReclaimWindow[],
  moments: readonly ReclaimMoment[],
  windowMs: number,
): Pair[] {
  const firstMs = moments[0]?.atMs ?? Infinity;
  const usable = windows
    .filter(({ spanMs, load }) => spanMs >= leastSpan * windowMs && load.latency.count > 0)
    .map((window, reclaim) => ({ window, reclaim }));
  const names = { of: 'since the first reclaim', against: 'before it' };
  const isBefore = ({ window }: PhaseWindow) => window.atMs < firstMs;
  // Numbered apart: no window of one side belongs to one of the other.
  return [
    { of: usable.filter((each) => !isBefore(each)), against: usable.filter(isBefore), names },
  ];
}

function readingsOf(windows: readonly PhaseWindow[], p: number): Reading[] {
  return windows.flatMap(({ window, reclaim }) => {
    const value = quantileMs(window.load.latency, p);
    return value === null ? [] : [{ value, launch: reclaim }];
  });
}

interface Compared {
  name: string;
  names: Pair['names'];
  comparison: Comparison;
}

const latencies = { unit: 'ms', greater: 'slower', lesser: 'faster', samples: 'windows' };

function claimOf({ name, names, comparison }: Compared, verdict: Verdict | undefined): Claim {
  if (!verdict) return neverReached();
  const evidence = verdictSentence(comparison, verdict, names, latencies)
    .replaceAll('browser launches', 'reclaims')
    .replaceAll(/more launch(es)?/g, 'more reclaims')
    .replace(/\.$/, '');
  return {
    name: `${name} ${names.of} is that ${names.against}`,
    verdict: verdictOf(verdict),
    evidence,
  };
}

function verdictOf({ outcome, direction }: Verdict): ClaimVerdict {
  if (outcome === 'SAME') return 'supported';
  if (outcome === 'UNKNOWN') return 'unknown';
  return direction === 'greater' ? 'refuted' : 'supported';
}
