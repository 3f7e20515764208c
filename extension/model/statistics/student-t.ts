import { gammaln } from 'simple-statistics';

/**
 * Two-sided p-value of Student's t with `freedom` degrees of freedom (above 0, not necessarily an integer). By the
 * incomplete beta function (Abramowitz and Stegun 26.7.1); accurate to 12 digits. NaN when either is NaN or `freedom`
 * is not above 0.
 */
export function studentTwoSided(t: number, freedom: number): number {
  if (!(freedom > 0)) return Number.NaN;
  if (Math.abs(t) === Infinity) return 0;
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/**
 * Two-sided critical value of Student's t: |t| exceeds it with probability `1 - confidence`. 2.0860 for 0.95 and 20.
 */
export function studentCritical(confidence: number, freedom: number): number {
  if (!(freedom > 0 && confidence >= 0 && confidence < 1)) return Number.NaN;
  let [low, high] = [0, 2];
  while (studentTwoSided(high, freedom) > 1 - confidence) high *= 2;
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, freedom) > 1 - confidence) low = middle;
    else high = middle;
    if (middle === low && middle === high) break;
  }
  return (low + high) / 2;
}

/** Regularized incomplete beta function I_x(a, b), for x from 0 to 1 and a, b above 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges fast only on this side of the mean; the other side follows by symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront = gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(logFront) / a) * betaFraction(x, a, b);
}

/** Continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let factor = 1;
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d || tiny);
      c = 1 + term / c || tiny;
      factor = c * d;
      fraction *= factor;
    }
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return fraction;
}
