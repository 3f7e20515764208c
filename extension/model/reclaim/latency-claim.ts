import { createRandom } from '../statistics/random.ts';
import { quantileMs } from './histogram.ts';
import type { Claim, ClaimVerdict } from './hypothesis.ts';
import type { EvictionPass } from './eviction-pass.ts';
import { type PhaseWindow, reclaimPhases, type ReclaimPhases, usableWindows } from './phases.ts';
import type { ReclaimWindow } from './window.ts';
import { compare, type Comparison, type GroupNames } from '../statistics/comparison.ts';
import { fewestReadings } from '../statistics/median-interval.ts';
import type { Reading } from '../statistics/readings.ts';
import { verdictSentence } from '../statistics/verdict-sentence.ts';
import { judge, type Verdict } from '../statistics/verdict.ts';

/** With this many resamples the interval's ends move by about 2 % of its width from seed to seed. */
const resamples = 2000;

const quantiles = [
  { p: 0.5, name: 'the median latency' },
  { p: 0.99, name: 'the 99th percentile of latency' },
] as const;

/**
 * Latency is stable across eviction passes: windows with a pass, and those after it, against those before it, by the medians
 * of their quantiles, paired by pass. Where passes hardly pause, all windows since the first against those before it.
 * `isShort` says that processors were overloaded; the claim is then unknown.
 */
export function latencyClaims(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
  { windowMs, margin, seed }: { windowMs: number; margin: number; seed: number },
  isShort = false,
): Claim[] {
  const usable = usableWindows(windows, windowMs);
  const phases = reclaimPhases(usable, passes);
  const pauses = Math.min(phases.before.length, phases.after.length) >= fewestReadings;
  const pairs = pauses ? pairsAround(phases) : pairsSince(usable, passes);
  if (passes.length === 0) return [neverReached()];
  const compared = pairs.flatMap(({ of, against, when }) =>
    quantiles.map(({ p, name }): Compared => {
      const names = { of: `${name} ${when}`, against: 'the one before' };
      const random = { random: createRandom(seed), resamples };
      return {
        names,
        comparison: compare(readingsOf(of, p), readingsOf(against, p), random, names),
      };
    }),
  );
  const verdicts = judge(
    compared.map(({ comparison }) => comparison),
    { better: 'lower', margin },
  );
  const claims = compared.map((each, index) => claimOf(each, verdicts[index]));
  return isShort && !pauses ? claims.map(notShown) : claims;
}

/** Around a pass other load varies by chance; over the whole run it may have changed once. */
function notShown(claim: Claim): Claim {
  const evidence = `there was not enough processor time, perhaps more at one time than at another: ${claim.evidence}`;
  return { ...claim, verdict: 'unknown', evidence };
}

function neverReached(): Claim {
  const evidence = 'the limit was never reached';
  return { name: 'latency is stable across eviction passes', verdict: 'unknown', evidence };
}

interface Pair {
  of: PhaseWindow[];
  against: PhaseWindow[];
  /** The first of them, in words. */
  when: string;
}

function pairsAround({ before, during, after }: ReclaimPhases): Pair[] {
  return [
    { of: during, against: before, when: 'during a reclaim' },
    { of: after, against: before, when: 'after a reclaim' },
  ];
}

/** For a run in which hardly a window is without a pass. Each window is one observation. */
function pairsSince(windows: readonly ReclaimWindow[], passes: readonly EvictionPass[]): Pair[] {
  const firstMs = passes[0]?.atMs ?? Infinity;
  const numbered = windows.map((window, reclaim) => ({ window, reclaim }));
  const isBefore = ({ window }: PhaseWindow) => window.atMs < firstMs;
  const of = numbered.filter((each) => !isBefore(each));
  return [{ of, against: numbered.filter(isBefore), when: 'since the first eviction pass' }];
}

function readingsOf(windows: readonly PhaseWindow[], p: number): Reading[] {
  return windows.flatMap(({ window, reclaim }) => {
    const value = quantileMs(window.load.latency, p);
    return value === null ? [] : [{ value, launch: reclaim }];
  });
}

interface Compared {
  names: GroupNames;
  comparison: Comparison;
}

const latencies = { unit: 'ms', greater: 'higher', lesser: 'lower', samples: 'windows' };

function claimOf({ names, comparison }: Compared, verdict: Verdict | undefined): Claim {
  if (!verdict) return neverReached();
  const evidence = verdictSentence(comparison, verdict, names, latencies)
    .replaceAll('browser launches', 'reclaims')
    .replaceAll(/more launch(es)?/g, 'more reclaims')
    .replaceAll('these launches', 'these reclaims')
    .replace(/\.$/, '');
  return { name: `${names.of} is no higher than before`, verdict: verdictOf(verdict), evidence };
}

function verdictOf({ outcome, direction }: Verdict): ClaimVerdict {
  if (outcome === 'SAME') return 'supported';
  if (outcome === 'UNKNOWN') return 'unknown';
  return direction === 'greater' ? 'refuted' : 'supported';
}
