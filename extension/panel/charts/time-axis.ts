/** At most `most` ticks from 0 to below the end, at multiples of 1, 2 or 5 times a power of ten. */
export function axisTicks(endMs: number, most = 12): number[] {
  const rough = endMs / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? rough;
  // A label at the end of the axis would be cut off.
  const count = Math.floor((endMs * 0.98) / step) + 1;
  return Array.from({ length: count }, (_, index) => index * step);
}
