/**
 * The smallest step the clock shows, ms: 0.1 in an ordinary page, 0.005 in a cross-origin isolated one (Chromium). The
 * origin sends this function to pages as text, so it refers to nothing outside it.
 */
export function smallestStep(now: () => number): number {
  let smallest = Number.POSITIVE_INFINITY;
  let last = now();
  // 50 steps: enough for the clock's random rounding to show its smallest one.
  for (let seen = 0; seen < 50;) {
    const time = now();
    if (time === last) continue;
    smallest = Math.min(smallest, time - last);
    last = time;
    seen++;
  }
  // The difference of two floating-point times has an error far below a nanosecond.
  return Math.round(smallest * 1e6) / 1e6;
}
