import { signedPercent } from './machine-gaps.ts';
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
  if (share === null) return 'I² unknown: fewer than two machines have an interval';
  const [, words] = grades.find(([least]) => share >= least) ?? grades[3];
  return `I² ${Math.round(100 * share)} %, ${words}`;
}
