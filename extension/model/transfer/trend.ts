/** A linear trend of time by size. */
export interface Trend {
  /** Intercept: time of a response without a body, ms. */
  baseMs: number;
  /** Above 0 when larger responses take longer. */
  msPerByte: number;
}

/** A line and its misfit: the sum of squared relative residuals. */
export interface FittedTrend extends Trend {
  misfit: number;
}

/** Two lines, one before the break and one from the break on. */
export interface BrokenTrend {
  before: Trend;
  /** Index of the first size on the second line. */
  firstOff: number;
  misfit: number;
}

/** Least squares with weights 1/time², so that relative residuals count. Times must be above 0. */
export function straightTrend(bytes: readonly number[], times: readonly number[]): FittedTrend {
  let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const [place, time] of times.entries()) {
    const size = bytes[place] ?? 0;
    const weight = 1 / (time * time);
    weights += weight;
    x += weight * size;
    y += weight * time;
    xx += weight * size * size;
    xy += weight * size * time;
  }
  const spread = weights * xx - x * x;
  const msPerByte = spread > 0 ? (weights * xy - x * y) / spread : 0;
  const baseMs = (y - msPerByte * x) / weights;
  const misfit = times.reduce((total, time, place) => {
    const distance = (time - baseMs - msPerByte * (bytes[place] ?? 0)) / time;
    return total + distance * distance;
  }, 0);
  return { baseMs, msPerByte, misfit };
}

/** The two lines with the best fit, each through at least `fewest` sizes. */
export function brokenTrend(
  bytes: readonly number[],
  times: readonly number[],
  fewest: number,
): BrokenTrend {
  let best: BrokenTrend = { ...nothing, firstOff: fewest };
  for (let firstOff = fewest; firstOff <= bytes.length - fewest; firstOff++) {
    const before = straightTrend(bytes.slice(0, firstOff), times.slice(0, firstOff));
    const after = straightTrend(bytes.slice(firstOff), times.slice(firstOff));
    const misfit = before.misfit + after.misfit;
    if (misfit < best.misfit) best = { before, firstOff, misfit };
  }
  return best;
}

const nothing = { before: { baseMs: 0, msPerByte: 0 }, misfit: Number.POSITIVE_INFINITY };
