/**
 * Draws medians of bootstrap resamples (as many values as `sorted` has, drawn with replacement) without making the
 * resamples. The draws are at the positions of uniform numbers, and the median of n uniform numbers has a beta
 * distribution (David and Nagaraja 2003, 2.3). So one random number replaces n draws, exactly: 100,000 values cost no
 * more than 10. NaN without values.
 */
export function medianResampler(sorted: readonly number[], random: () => number): () => number {
  const size = sorted.length;
  const at = (u: number): number => sorted[Math.min(size - 1, Math.floor(u * size))] ?? Number.NaN;
  const lowerRank = Math.ceil(size / 2);
  const above = size - lowerRank;
  const lower = betaVariate(lowerRank, above + 1, random);
  if (size % 2 === 1) return () => at(lower());
  return () => {
    const u = lower();
    // The upper middle value is the smallest of the draws above the lower one.
    const v = 1 - (1 - u) * random() ** (1 / above);
    return (at(u) + at(v)) / 2;
  };
}

/** Beta-distributed numbers: the share of one gamma variate in the sum of two. a and b must be at least 1. */
function betaVariate(a: number, b: number, random: () => number): () => number {
  const normal = normalVariate(random);
  const first = gammaVariate(a, normal, random);
  const second = gammaVariate(b, normal, random);
  return () => {
    const part = first();
    return part / (part + second());
  };
}

/** Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000); shape at least 1. */
function gammaVariate(shape: number, normal: () => number, random: () => number): () => number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  return () => {
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      const u = 1 - random();
      if (u < 1 - 0.0331 * x ** 4) return d * v;
      if (Math.log(u) < (x * x) / 2 + d * (1 - v + Math.log(v))) return d * v;
    }
  };
}

/** Standard normal numbers by Marsaglia's polar method, which generates two at a time. */
export function normalVariate(random: () => number): () => number {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
}
