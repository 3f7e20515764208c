import { probit } from 'simple-statistics';

// Hart (1968) 5666, as published by West, "Better approximations to cumulative normal functions", Wilmott 2005.
const numerator = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const denominator = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
  637.333633378831, 793.826512519948, 440.413735824752,
];

/** Probability that a standard normal variable is at most `z`; accurate to 14 digits. */
export function normalCdf(z: number): number {
  return z > 0 ? 1 - upperTail(z) : upperTail(-z);
}

/** The quantile `p` of the standard normal distribution; infinite at 0 and 1, NaN outside. */
export function normalQuantile(p: number): number {
  if (p === 0 || p === 1) return p === 0 ? -Infinity : Infinity;
  if (!(p > 0 && p < 1)) return Number.NaN;
  // probit is accurate to three digits; each step of Halley's method triples them.
  let z = probit(p);
  for (let step = 0; step < 3; step++) {
    const error = (normalCdf(z) - p) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
    z -= error / (1 + (z * error) / 2);
  }
  return z;
}

function upperTail(z: number): number {
  if (z > 37) return 0;
  const density = Math.exp((-z * z) / 2);
  if (z < 7.07106781186547) return (density * horner(numerator, z)) / horner(denominator, z);
  const fraction = z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))));
  return density / fraction / Math.sqrt(2 * Math.PI);
}

function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((total, coefficient) => total * x + coefficient, 0);
}
