import { median } from '@cachescope/model/statistics/quantile.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { Finding } from './finding.ts';

/** Maximum median deviation of the measured from the requested delay, as a share. */
const mostOff = 0.1;

/** Judges the storage by a calibration: a delay of 0 ms has no relative deviation. */
export function calibrationFinding(proofs: readonly DelayProof[]): Finding {
  const deviations = proofs
    .filter(({ requestedDelayMs }) => requestedDelayMs > 0)
    .map(({ requestedDelayMs, p50Ms }) => Math.abs(p50Ms - requestedDelayMs) / requestedDelayMs);
  const why =
    'When the device does not have the requested delay, the axis of every chart is wrong.';
  const base = { id: 'calibration', why };
  const value = median(deviations);
  if (value === null)
    return { ...base, status: 'unknown', what: 'No delay was measured', todo: null };
  const what = `Delays deviate by ${(value * 100).toFixed(1)} %, median of ${deviations.length}`;
  if (value <= mostOff) return { ...base, status: 'ok', what, todo: null, value };
  const todo = 'Use the measured delays, not the requested ones; longer delays deviate less.';
  return { ...base, status: 'warning', what, todo, value };
}
