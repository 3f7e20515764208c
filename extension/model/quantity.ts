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
