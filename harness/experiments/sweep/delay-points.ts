import type { Problems } from '../../options/option-reading.ts';
import { delayRule, quantities, quantity } from '../../options/quantity-option.ts';

/** The arguments and options of the command line that set the delays. */
export interface RawDelays {
  start: string;
  end: string;
  increment: string;
  /** `--delays`: a list instead of the three arguments. */
  delays?: string | undefined;
  /** True when any of the three arguments was typed. */
  ranged: boolean;
}

const maxPoints = 1000;
const readDelay = quantity(delayRule);
const readStep = quantity({ ...delayRule, from: '0.001ms' });

/**
 * `1 50 10` -> 1, 11, 21, 31, 41: as in the loop of nhelfman/TestCDT, the end is included only when a step falls on it.
 */
function range(raw: RawDelays, problems: Problems): number[] {
  const start = readDelay(raw.start, 'start', problems);
  const end = readDelay(raw.end, 'end', problems);
  const increment = readStep(raw.increment, 'increment', problems);
  if (end < start) problems.push(`end (${end} ms) is below start (${start} ms)`);
  // In whole microseconds, so that steps of 0.1 ms add up exactly.
  const [startUs, endUs, stepUs] = [start, end, increment].map((ms) => Math.round(ms * 1000));
  const us = { start: startUs ?? 0, end: endUs ?? 0, step: stepUs ?? 1 };
  const count = Math.floor((us.end - us.start) / us.step) + 1;
  if (count > maxPoints)
    problems.push(`${count} delays from ${start} to ${end} ms; a sweep has at most ${maxPoints}`);
  if (!(count >= 1 && count <= maxPoints)) return [];
  return Array.from({ length: count }, (_, index) => (us.start + index * us.step) / 1000);
}

/** The delays to measure at, ms, ascending; invalid input is reported in `problems`. */
export function readDelays(raw: RawDelays, problems: Problems): number[] {
  if (raw.delays === undefined) return range(raw, problems);
  if (raw.ranged)
    problems.push('--delays and the arguments start, end and increment exclude each other');
  return quantities(delayRule, maxPoints)(raw.delays, '--delays', problems);
}
