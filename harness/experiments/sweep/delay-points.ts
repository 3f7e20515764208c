import { maxDelayMs } from '../storage/delay.ts';
import { type Problems, readNumber } from './option-reading.ts';

/** The words of a command line that say at which delays to measure. */
export interface RawDelays {
  start: string;
  end: string;
  increment: string;
  /** `--delays`: a list in place of the three words. */
  delays?: string | undefined;
  /** True when any of the three words was typed. */
  ranged: boolean;
}

const maxPoints = 1000;
const bounds = [0, maxDelayMs] as const;

/** `1 50 10` -> 1, 11, 21, 31, 41: as the source document's loop does, the end is included only when a step falls on it. */
function range(raw: RawDelays, problems: Problems): number[] {
  const start = readNumber('start', raw.start, bounds, 'ms', problems);
  const end = readNumber('end', raw.end, bounds, 'ms', problems);
  const increment = readNumber('increment', raw.increment, [0.001, maxDelayMs], 'ms', problems);
  if (end < start) problems.push(`end (${end} ms) is below start (${start} ms)`);
  // In whole microseconds, so that steps of 0.1 ms add up.
  const [startUs, endUs, stepUs] = [start, end, increment].map((ms) => Math.round(ms * 1000));
  const us = { start: startUs ?? 0, end: endUs ?? 0, step: stepUs ?? 1 };
  const count = Math.floor((us.end - us.start) / us.step) + 1;
  if (count > maxPoints)
    problems.push(`${count} delays from ${start} to ${end} ms; at most ${maxPoints} fit a sweep`);
  if (!(count >= 1 && count <= maxPoints)) return [];
  return Array.from({ length: count }, (_, index) => (us.start + index * us.step) / 1000);
}

function list(text: string, problems: Problems): number[] {
  const before = problems.length;
  const delaysMs = text
    .split(',')
    .map((item) => readNumber('--delays', item.trim(), bounds, 'ms', problems));
  if (problems.length > before) return [];
  if (new Set(delaysMs).size < delaysMs.length)
    problems.push(`--delays ${text} names a delay twice`);
  if (delaysMs.length > maxPoints)
    problems.push(`--delays has ${delaysMs.length} delays; at most ${maxPoints} fit a sweep`);
  return delaysMs.toSorted((a, b) => a - b);
}

/** The delays to measure at, ms, ascending; what is wrong with the words is added to `problems`. */
export function readDelays(raw: RawDelays, problems: Problems): number[] {
  if (raw.delays === undefined) return range(raw, problems);
  if (raw.ranged)
    problems.push('--delays and the words start, end and increment exclude each other');
  return list(raw.delays, problems);
}
