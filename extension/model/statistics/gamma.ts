/** Derivative of the logarithm of the gamma function, for x above 0 (DLMF 5.5.2 and 5.11.2); accurate to 12 digits. */
export function digamma(x: number): number {
  let [shifted, sum] = [x, 0];
  for (; shifted < 8; shifted++) sum -= 1 / shifted;
  const square = 1 / shifted ** 2;
  const tail =
    square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))));
  return sum + Math.log(shifted) - 0.5 / shifted - tail;
}

/** Derivative of `digamma`, for x above 0; accurate to 12 digits. */
export function trigamma(x: number): number {
  let [shifted, sum] = [x, 0];
  for (; shifted < 8; shifted++) sum += 1 / shifted ** 2;
  const square = 1 / shifted ** 2;
  const tail =
    square *
    (1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - (5 * square) / 66))));
  return sum + (1 + 0.5 / shifted + tail) / shifted;
}

/** The x above 0 whose `trigamma` is `y`, for y above 0. By bisection: trigamma is strictly decreasing. */
export function trigammaInverse(y: number): number {
  let [low, high] = [1e-8, 1];
  while (trigamma(high) > y) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step++) {
    const middle = (low + high) / 2;
    if (trigamma(middle) > y) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
