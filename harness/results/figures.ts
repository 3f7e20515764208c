/** Three significant digits and a decimal unit, as dd prints a rate: `668 MB/s`, `81.6 MB/s`. `unknown` for null. */
export function throughputText(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return 'unknown';
  const units = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
  let value = bytesPerSecond;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number(value.toPrecision(3))} ${units[unit]}`;
}

/** A value with two decimal digits; `unknown` for null. */
export function figureText(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(2);
}

/** `13.10 [12.80, 13.42]`: a median with its 95 % interval; `unknown` for null. */
export function intervalText(
  value: number | null,
  low: number | null,
  high: number | null,
  digits = 1,
): string {
  if (value === null) return 'unknown';
  if (low === null || high === null) return value.toFixed(digits);
  return `${value.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}
