/** Units by what they measure, each in the base unit: ms, bytes, bytes per second, bit/s, share of one. */
const units = {
  time: { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 },
  // Reports write KB for 1000 bytes, and so do people.
  size: { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 },
  rate: { 'B/s': 1, 'kB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'KiB/s': 2 ** 10, 'MiB/s': 2 ** 20 },
  bits: { 'bit/s': 1, 'kbit/s': 1e3, 'Mbit/s': 1e6, 'Gbit/s': 1e9 },
  share: { '%': 0.01 },
} as const;

const printed = /^((?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,3})?)(?:[ \u00A0]?([A-Za-z/%]+))?$/;

/** What a quantity measures. */
export type QuantityKind = keyof typeof units;

const examples: Readonly<Record<QuantityKind, readonly [name: string, examples: string]>> = {
  time: ['a time', '250ms, 30s or 20m'],
  size: ['a size', '64KiB or 2MB'],
  rate: ['a rate', '20MB/s'],
  bits: ['a rate', '50Mbit/s or 750kbit/s'],
  share: ['a percentage', '3%'],
};

/** The allowed quantities. Bounds are written in the syntax that is read: `64KiB`. */
export interface QuantityRule {
  kind: QuantityKind;
  from: string;
  to: string;
  /** Unit of a bare number; absent: a unit is required. For a share `1`: the share itself, from 0 to 1. */
  bare?: string;
}

/**
 * The value of a text in its base unit; null when it is not a valid quantity. As it is printed, a quantity may have a space
 * before its unit and a comma between its thousands.
 */
function valueOf(text: string, { kind, bare }: Pick<QuantityRule, 'kind' | 'bare'>): number | null {
  const [, digits, named = ''] = printed.exec(text) ?? [];
  if (digits === undefined) return null;
  if (kind === 'share' && named === '' && bare === '1') return Number(digits);
  const known: Readonly<Record<string, number>> = units[kind];
  const unit = named || bare;
  const factor = unit === undefined || !Object.hasOwn(known, unit) ? undefined : known[unit];
  if (factor === undefined) return null;
  // Rounded in decimal, so that 32.3 kB and 0.1 ms are exact: the binary products are not.
  const value = Number((Number(digits.replaceAll(',', '')) * factor).toPrecision(15));
  return kind === 'size' && !Number.isInteger(value) ? null : value;
}

/**
 * Reads a quantity: its value in ms, bytes, bytes per second, bit/s, or as a share of one; otherwise the rule that it breaks.
 */
export function readQuantity(
  text: string,
  rule: QuantityRule,
): { value: number } | { problem: string } {
  const value = valueOf(text, rule);
  const [from = 0, to = 0] = [rule.from, rule.to].map(
    (bound) => valueOf(bound, rule) ?? Number.NaN,
  );
  if (value !== null && value >= from && value <= to) return { value };
  return { problem: ambiguous(text, rule) ?? `it must be ${ruleText(rule)}` };
}

function ruleText({ kind, from, to, bare }: QuantityRule): string {
  const [name, like] = examples[kind];
  const range = `from ${from} to ${to}`;
  if (bare === undefined) return `${name} with its unit, such as ${like}, ${range}`;
  const alone = bare === '1' ? ', or a share from 0 to 1' : `; a number alone is in ${bare}`;
  return `${name} such as ${like}, ${range}${alone}`;
}

/** Ambiguous spellings: `k` can mean 1,000 or 1,024, and `m` a million or minutes. */
function ambiguous(text: string, { kind }: QuantityRule): string | null {
  const [, digits, letter = ''] =
    /^([\d,]+(?:\.\d+)?) ?(k|m|g|kb|mb|gb)(?:\/s)?$/i.exec(text) ?? [];
  if (digits === undefined || (kind !== 'size' && kind !== 'rate')) return null;
  const prefix = letter.slice(0, 1).toUpperCase();
  const decimal = `${digits}${prefix === 'K' ? 'k' : prefix}B`;
  const binary = `${digits}${prefix}iB`;
  const perSecond = kind === 'rate' ? '/s' : '';
  // Spelled correctly, and refused for another reason.
  if (text.replace(' ', '') === `${decimal}${perSecond}` || text.endsWith('KB')) return null;
  return `write ${decimal}${perSecond} for powers of 1000 or ${binary}${perSecond} for powers of 1024`;
}
