const steps = [1, 2, 5, 10];

/** The least of 1, 2 and 5 times a power of ten that is not below a value above 0. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.find((step) => step * power >= value) ?? 10);
}

/** The greatest of 1, 2 and 5 times a power of ten that is not above a value above 0. */
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (steps.findLast((step) => step * power <= value) ?? 1);
}

/** At most `most` ticks from 0 to below the end, at multiples of a round step. */
export function axisTicks(end: number, most = 12): number[] {
  const step = roundUp(end / most);
  // A label at the end of the axis would be cut off.
  const count = Math.floor((end * 0.98) / step) + 1;
  return Array.from({ length: count }, (_, index) => index * step);
}

/** The first multiple of a round step, about a tenth of the value, that is not below it: an axis has even ticks to there. */
export function axisEnd(value: number): number {
  const step = roundUp(value / 10);
  return Math.ceil(value / step) * step;
}
