import { greatest } from '@cachescope/model/extremes.ts';
import { wasSuspended } from '@cachescope/model/run/sample.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { type CellPair, decide, type StopReason } from '@cachescope/model/statistics/stop-rule.ts';
import type { StopRule } from '@cachescope/model/sweep/run.ts';
import { shareOfPass } from './schedule.ts';

/** A cell that has been sampled this many times its minimum and still lacks readings gets no more samples. */
const hopelessTimes = 4;

/** One sample, as input of the sampling. */
export interface Taken {
  /** Name of its cell. */
  cell: string;
  /** The pass that took it; undefined in old runs. */
  pass: number | undefined;
  /** Its value and launch; null when it was flagged: taken, but excluded from the statistics. */
  reading: Reading | null;
  /** Why it was flagged. */
  flags: readonly string[];
}

/** A sample that stood still is taken again at most this many times. */
const retakes = 3;

/**
 * How many of the `wanted` measurements are done. One during which something stood still is taken again; the limit ends
 * a run on a machine that stands still all the time.
 */
export function doneOf(measurements: readonly Pick<Taken, 'flags'>[], wanted: number): number {
  const suspended = measurements.filter(wasSuspended).length;
  return measurements.length - Math.min(suspended, retakes * wanted);
}

/** How many samples an experiment needs, independent of its kind of cells. */
export interface SamplingPlan {
  /** Names of all cells. */
  cells: readonly string[];
  /**
   * Cells that will be compared, the first of each pair against the second: the values are times, so lower is better.
   */
  pairs: readonly CellPair[];
  /** Minimum samples per cell, over `launches` passes. */
  samplesPerCell: number;
  launches: number;
  stopRule?: StopRule | undefined;
}

export interface SamplingState {
  taken: readonly Taken[];
  elapsedMs: number;
  /** The interim looks at the comparisons so far (statistics/stop-rule.ts). */
  looks: readonly number[];
}

/** The next step: one more pass, with this many samples of each named cell, or the end. */
export type NextStep =
  | { action: 'take'; pass: number; samples: ReadonlyMap<string, number>; looks: readonly number[] }
  | { action: 'stop'; reason: StopReason | null; looks: readonly number[] };

/**
 * Decides only from the samples taken, so that an interrupted run is completed by calling this again: first the missing
 * samples of the planned passes, then, under a stop rule, the samples that it requests, each time by new launches.
 */
export function nextStep(plan: SamplingPlan, state: SamplingState): NextStep {
  const { looks } = state;
  for (let pass = 0; pass < plan.launches; pass++) {
    const samples = missingOf(plan, state.taken, pass);
    if (samples.size > 0) return { action: 'take', pass, samples, looks };
  }
  if (!plan.stopRule) return { action: 'stop', reason: null, looks };
  return adaptiveStep(plan, plan.stopRule, state);
}

function missingOf(
  plan: SamplingPlan,
  taken: readonly Taken[],
  pass: number,
): ReadonlyMap<string, number> {
  const share = shareOfPass(plan.samplesPerCell, plan.launches, pass);
  const inPass = Map.groupBy(
    taken.filter((sample) => sample.pass === pass),
    ({ cell }) => cell,
  );
  const missing = plan.cells.map(
    (cell) => [cell, share - doneOf(inPass.get(cell) ?? [], share)] as const,
  );
  return new Map(missing.filter(([, samples]) => samples > 0));
}

function adaptiveStep(plan: SamplingPlan, rule: StopRule, state: SamplingState): NextStep {
  const byCell = Map.groupBy(state.taken, ({ cell }) => cell);
  const readingsOf = (cell: string): Reading[] =>
    (byCell.get(cell) ?? []).flatMap(({ reading }) => (reading ? [reading] : []));
  // A cell whose samples are flagged repeatedly would never reach its minimum: it is abandoned.
  const isHopeless = (cell: string, readings: readonly Reading[]): boolean =>
    readings.length === 0 ||
    (readings.length < plan.samplesPerCell &&
      (byCell.get(cell)?.length ?? 0) >= hopelessTimes * plan.samplesPerCell);
  const cells = plan.cells
    .map((cell) => ({ cell, readings: readingsOf(cell) }))
    .filter(({ cell, readings }) => !isHopeless(cell, readings));
  const known = new Set(cells.map(({ cell }) => cell));
  const pairs = plan.pairs.filter(({ of, against }) => known.has(of) && known.has(against));
  if (cells.length === 0) return { action: 'stop', reason: null, looks: state.looks };
  const decision = decide(
    { cells, pairs, elapsedMs: state.elapsedMs, looks: state.looks },
    {
      precision: rule.precision,
      floor: plan.samplesPerCell,
      ...(rule.maxTimeMs !== undefined && { maxTimeMs: rule.maxTimeMs }),
      ...(pairs.length > 0 && { verdict: { better: 'lower', margin: rule.margin } }),
    },
  );
  if (decision.action === 'stop') {
    return { action: 'stop', reason: decision.reason, looks: decision.looks };
  }
  const passes = state.taken.map(({ pass }) => pass ?? 0);
  const samples = new Map(decision.cells.map(({ cell, batch }) => [cell, batch]));
  return { action: 'take', pass: greatest(passes) + 1, samples, looks: decision.looks };
}
