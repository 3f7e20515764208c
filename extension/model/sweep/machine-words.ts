import { signedPercent } from './machine-gaps.ts';
import { counted, digits, percent, unitOf } from '../quantity.ts';
import type { MachineDesign } from './machine-design.ts';
import type { MachineVariance } from './machine-variance.ts';
import type { PooledEffect } from './machine-effect.ts';

/** The pooled effect of a pair in sentences: mean, scope of its interval, prediction, heterogeneity. */
export function machineCaption(pooled: PooledEffect): string {
  const { machines, relative, interval, scope, prediction, heterogeneity } = pooled;
  const range = interval
    ? `95 % CI ${signedPercent(interval.low)} to ${signedPercent(interval.high)}; holds for ${scope === 'any machine' ? 'any machine of their kind' : 'these machines only'}`
    : 'interval unknown';
  const further = prediction
    ? ` Next machine: ${signedPercent(prediction.low)} to ${signedPercent(prediction.high)}.`
    : '';
  const over = machines.length === 1 ? 'On 1 machine' : `Mean of ${machines.length} machines`;
  return `${over}: ${signedPercent(relative)} (${range}).${further} ${heterogeneityText(heterogeneity)}.`;
}

/** Limits of Higgins, Thompson, Deeks and Altman, "Measuring inconsistency in meta-analyses" (2003), highest first. */
const grades = [
  [0.75, 'high: machines differ far more than chance explains'],
  [0.5, 'moderate: machines differ more than chance explains'],
  [0.25, 'low: chance explains most of the differences between machines'],
  [0, 'chance explains the differences between machines'],
] as const;

/** I² with its meaning: `I² 91 %, high: ...`. */
export function heterogeneityText(share: number | null): string {
  if (share === null) return 'I² unknown: it needs two machines, and three launches on each';
  const [, words] = grades.find(([least]) => share >= least) ?? grades[3];
  return `I² ${Math.round(100 * share)} %, ${words}`;
}

/** Standard deviations of the effect by source: `SD between machines 9.9 %, between launches 2.7 %, between reads 4.4 %`. */
export function varianceText(variance: MachineVariance | null): string {
  if (variance === null)
    return 'Variance by source unknown: a machine needs 2 launches, and a launch 2 reads';
  const { machine, launch, read } = variance.components;
  return `SD between machines ${spreadText(machine)}, between launches ${spreadText(launch)}, between reads ${spreadText(read)}`;
}

/** The relative standard deviation of a variance of logarithms: `7.95 %`; the dash for unknown. */
export function spreadText(variance: number | undefined): string {
  return percent(variance === undefined ? null : Math.expm1(Math.sqrt(variance)));
}

/** What would halve the interval for the least machine time, and what the run took. Empty when unknown. */
export function halvingText(variance: MachineVariance | null): string {
  const { now, halved } = variance ?? {};
  if (!now || !halved) return '';
  return `Half the interval for the least machine time: ${designText(halved)} (now ${designText(now)})`;
}

/** `14 machines x 2 launches x 1 read, 1.92 h`. */
export function designText({ machines, launches, reads, machineTimeMs }: MachineDesign): string {
  const size = `${counted(machines, 'machine')} x ${digits(launches)} ${launches === 1 ? 'launch' : 'launches'} x ${digits(reads)} ${unitOf(reads, 'read')}`;
  const minutes = machineTimeMs / 60_000;
  return `${size}, ${minutes < 100 ? `${digits(minutes)} min` : `${digits(minutes / 60)} h`}`;
}
