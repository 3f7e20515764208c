/** Number of steps measured: enough for the clock's random rounding to show its smallest one. */
const steps = 50;

/** The smallest step the clock shows, ms: 0.1 in an ordinary page, 0.005 in a cross-origin isolated one (Chromium). */
export function smallestStep(now: () => number): number {
  let smallest = Number.POSITIVE_INFINITY;
  let last = now();
  for (let seen = 0; seen < steps;) {
    const time = now();
    if (time === last) continue;
    smallest = Math.min(smallest, time - last);
    last = time;
    seen++;
  }
  // The difference of two floating-point times has an error far below a nanosecond.
  return Math.round(smallest * 1e6) / 1e6;
}
