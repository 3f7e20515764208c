/** Shown in a sentence or a table for an unknown value. Never 0. */
export const unknownText = '–';

const threeDigits = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 3,
  roundingPriority: 'lessPrecision',
  signDisplay: 'negative',
});
const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A number to three significant digits and at most three decimals, whole from 100 on: 10.3, 0.052, 1,216. */
export function digits(value: number | null): string {
  if (value === null) return unknownText;
  return (Math.abs(value) >= 100 ? wholeNumber : threeDigits).format(value);
}

/** A time such as `10.3 ms`; the unknown dash for null. */
export function milliseconds(value: number | null): string {
  return value === null ? unknownText : `${digits(value)} ms`;
}

/** A time in seconds such as `1.45 s`; the unknown dash for null. */
export function seconds(ms: number | null): string {
  return ms === null ? unknownText : `${digits(ms / 1000)} s`;
}

/** A share as a percentage such as `12.5 %`; the unknown dash for null. */
export function percent(share: number | null): string {
  return share === null ? unknownText : `${digits(100 * share)} %`;
}

/** A size such as `917 B`, `64.5 KiB`, `1.36 MiB` or `8 GiB`; the unknown dash for null. */
export function byteSize(bytes: number | null): string {
  if (bytes === null) return unknownText;
  if (bytes < 1024) return `${digits(bytes)} B`;
  if (bytes < 1024 ** 2) return `${digits(bytes / 1024)} KiB`;
  if (bytes < 1024 ** 3) return `${digits(bytes / 1024 ** 2)} MiB`;
  return `${digits(bytes / 1024 ** 3)} GiB`;
}

/** A whole number with thousands separators: 10,000; the unknown dash for null. */
export function count(value: number | null): string {
  return value === null ? unknownText : wholeNumber.format(value);
}

/** `load` for one, `loads` for any other number. For words whose plural only takes an s. */
export function unitOf(value: number, unit: string): string {
  return value === 1 ? unit : `${unit}s`;
}

/** A count with its unit: `1 load`, `10,000 loads`. */
export function counted(value: number, unit: string): string {
  return `${count(value)} ${unitOf(value, unit)}`;
}

/**
 * How people see a number: a time in ms, a time in ms shown in seconds, a size in binary units, a share of 1 as a
 * percentage, a whole number; empty: a number without a unit.
 */
export type Unit = 'ms' | 's' | 'B' | 'share' | 'count' | '';

const inUnits: Readonly<Record<Unit, (value: number | null) => string>> = {
  ms: milliseconds,
  s: seconds,
  B: byteSize,
  share: percent,
  count,
  '': digits,
};

/** A value with its unit: `3.1 ms`, `319 KiB`, `34 %`, `12`; the unknown dash for null. */
export function inUnit(value: number | null, unit: Unit = ''): string {
  return inUnits[unit](value);
}

/** A range with its unit: `10.3 to 12 ms`, `1.2 % to 3 %`, `800 KiB to 1.2 MiB`; the unknown dash for null. */
export function rangeText(range: { low: number; high: number } | null, unit: Unit = ''): string {
  if (range === null) return unknownText;
  const [low, high] = [range.low, range.high].map((end) => inUnit(end, unit));
  return unit === 'ms' || unit === 's' ? `${low?.split(' ')[0]} to ${high}` : `${low} to ${high}`;
}
