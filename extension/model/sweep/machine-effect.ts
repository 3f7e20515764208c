import { mean, sampleVariance } from 'simple-statistics';
import { designOf } from '../statistics/design.ts';
import { defaultConfidence, type Interval } from '../statistics/interval.ts';
import { launchDifference } from '../statistics/launch-gap.ts';
import { launchMedian } from '../statistics/launch-level.ts';
import type { Reading } from '../statistics/readings.ts';
import { studentCritical } from '../statistics/student-t.ts';
import { type Estimate, intervalAround, meanEstimate } from '../statistics/welch.ts';
import type { MachineEffect, PooledEffect } from './saved-summary.ts';

/** A reading, and the machine that took it. */
export interface MachineReading extends Reading {
  machine: string;
}

/** Minimum number of machines for results that are valid for other machines. */
export const leastMachines = 4;

/**
 * Pools the effects of all machines with equal weights: each machine is one draw from its kind, independent of its
 * number of reads. null when no machine read both groups, or a median is 0.
 */
export function pooledEffect(
  of: readonly MachineReading[],
  against: readonly MachineReading[],
  confidence = defaultConfidence,
): PooledEffect | null {
  const effects = effectsOf(of, against, confidence);
  if (effects.length === 0) return null;
  const logs = effects.map(({ log }) => log);
  const over = meanEstimate(logs);
  const isAny = over !== null && effects.length >= leastMachines;
  const estimate = isAny ? over : ofThese(effects);
  return {
    machines: effects.map(({ shown }) => shown),
    relative: Math.expm1(mean(logs)),
    scope: isAny ? 'any machine' : 'these machines',
    interval: estimate && asShare(intervalAround(estimate, confidence)),
    heterogeneity: heterogeneityOf(effects),
    prediction: isAny ? predictionOf(over, effects, confidence) : null,
  };
}

/** Effect of one machine as a logarithm: a constant relative slowdown of a machine does not change it. */
interface LogEffect {
  log: number;
  error: number | null;
  freedom: number;
  shown: MachineEffect;
}

function effectsOf(
  of: readonly MachineReading[],
  against: readonly MachineReading[],
  confidence: number,
): LogEffect[] {
  const machineOf = ({ machine }: MachineReading) => machine;
  const [first, second] = [Map.groupBy(of, machineOf), Map.groupBy(against, machineOf)];
  return [...first.keys()].toSorted().flatMap((machine) => {
    const design = designOf(first.get(machine) ?? [], second.get(machine) ?? []);
    const launches = Math.min(design.of.length, design.against.length);
    if (launches === 0) return [];
    const [logs, others] = [design.of, design.against].map((own) =>
      own.map((values) => Math.log(launchMedian(values))),
    );
    const log = mean(logs ?? []) - mean(others ?? []);
    if (!Number.isFinite(log)) return [];
    const gap = launchDifference(design.kind, logs ?? [], others ?? []);
    const interval = gap && asShare(intervalAround(gap, confidence));
    const shown = { machine, relative: Math.expm1(log), interval, launches };
    return [{ log, error: gap?.error ?? null, freedom: gap?.freedom ?? 0, shown }];
  });
}

/** The mean effect of exactly these machines; null when the error of one of them is unknown. */
function ofThese(effects: readonly LogEffect[]): Estimate | null {
  const variances = effects.flatMap(({ error }) => (error === null ? [] : [error ** 2]));
  if (variances.length < effects.length) return null;
  const sum = variances.reduce((total, each) => total + each, 0);
  // Degrees of freedom by Welch and Satterthwaite.
  const parts = effects.map(({ error, freedom }) => (error ?? 0) ** 4 / freedom);
  const freedom =
    sum > 0
      ? sum ** 2 / parts.reduce((total, each) => total + each, 0)
      : (effects[0]?.freedom ?? 1);
  const value = mean(effects.map(({ log }) => log));
  return { value, error: Math.sqrt(sum) / effects.length, freedom };
}

/** I², from Cochran's Q with the machines' own errors. */
function heterogeneityOf(effects: readonly LogEffect[]): number | null {
  const known = effects.flatMap(({ log, error }) =>
    error !== null && error > 0 ? [{ log, weight: 1 / error ** 2 }] : [],
  );
  if (known.length < 2) return null;
  const weights = known.reduce((sum, { weight }) => sum + weight, 0);
  const centre = known.reduce((sum, { log, weight }) => sum + log * weight, 0) / weights;
  const q = known.reduce((sum, { log, weight }) => sum + weight * (log - centre) ** 2, 0);
  return q === 0 ? 0 : Math.max(0, (q - (known.length - 1)) / q);
}

/**
 * The pooled interval widened by the true variation between machines: their variance minus the part explained by chance
 * within machines.
 */
function predictionOf(over: Estimate, effects: readonly LogEffect[], confidence: number): Interval {
  const within = mean(effects.map(({ error }) => (error ?? 0) ** 2));
  const between = Math.max(0, sampleVariance(effects.map(({ log }) => log)) - within);
  const reach =
    studentCritical(confidence, effects.length - 2) * Math.hypot(Math.sqrt(between), over.error);
  return asShare({ low: over.value - reach, high: over.value + reach });
}

function asShare({ low, high }: Interval): Interval {
  return { low: Math.expm1(low), high: Math.expm1(high) };
}
