const exponents = { '': 0, k: 3, m: 6 } as const;

/**
 * Reads a size such as `800`, `32.3k` or `2m`, bytes; k is 1000 here. null when the text is none, or one of a part of a byte,
 * or not from 1 to `largestBytes`.
 */
export function readDecimalSize(text: string, largestBytes: number): number | null {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  // As a decimal exponent: multiplied, 32.3 in binary times 1000 is no whole number.
  const bytes = Number(`${digits}e${exponents[unit.toLowerCase() as keyof typeof exponents]}`);
  return Number.isInteger(bytes) && bytes >= 1 && bytes <= largestBytes ? bytes : null;
}
