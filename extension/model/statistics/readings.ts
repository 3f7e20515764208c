import type { ErrorCode } from '../errors/index.ts';

/** The value of one sample, and the browser launch that took it: samples of one launch are correlated. */
export interface Reading {
  /** In the unit of the comparison, for example ms. Never negative. */
  value: number;
  /** Number of the browser launch; null when unknown: such a reading is treated as independent of all others. */
  launch: number | null;
}

/** Why the readings of a group cannot be used: a stable error code, and a message that says what to do. */
export interface ReadingsProblem {
  code: ErrorCode;
  message: string;
}

/** All problems of a group of readings; empty when they can be used. `name` is the name of the group. */
export function problemsOf(readings: readonly Reading[], name: string): ReadingsProblem[] {
  if (readings.length === 0) {
    const message = `${name} has no readings; a statistic needs at least one. Take samples, or find out why all were flagged.`;
    return [{ code: 'CS_NO_READINGS', message }];
  }
  const problems: ReadingsProblem[] = [];
  const strange = readings.filter(({ value }) => !Number.isFinite(value));
  if (strange.length > 0) {
    const message = `${name} has ${strange.length} of ${readings.length} values that are not finite numbers (the first: ${strange[0]?.value}). Flag those samples to exclude them, or repair the file that they came from.`;
    problems.push({ code: 'CS_READING_NOT_FINITE', message });
  }
  const negative = readings.filter(({ value }) => value < 0);
  if (negative.length > 0) {
    const message = `${name} has ${negative.length} of ${readings.length} values below 0 (the first: ${negative[0]?.value}); a time, a size and a rate are at least 0. Check the clock or the file that they came from.`;
    problems.push({ code: 'CS_READING_NEGATIVE', message });
  }
  return problems;
}

/** The values alone, in order. */
export function valuesOf(readings: readonly Reading[]): number[] {
  return readings.map((reading) => reading.value);
}

/** The values of each launch. A reading of unknown launch has its own entry, with the reading object as the key. */
export function byLaunch(readings: readonly Reading[]): Map<number | Reading, number[]> {
  const launches = new Map<number | Reading, number[]>();
  for (const reading of readings) {
    const launch = reading.launch ?? reading;
    const values = launches.get(launch);
    if (values) values.push(reading.value);
    else launches.set(launch, [reading.value]);
  }
  return launches;
}
