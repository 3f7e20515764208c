import { type QuantityRule, readQuantity } from '@cachescope/model/quantity-reading.ts';
import { maxDelayMs } from '../storage/delay.ts';
import type { Problems } from './option-reading.ts';

/** A read delay of a device, ms. */
export const delayRule = {
  kind: 'time',
  from: '0ms',
  to: `${maxDelayMs}ms`,
  bare: 'ms',
} as const satisfies QuantityRule;

/** Parses an option that is a quantity, in its base unit; NaN, and a problem, when the text is not one. */
export function quantity(rule: QuantityRule) {
  return (text: string, flag: string, problems: Problems): number => {
    const read = readQuantity(text, rule);
    if ('value' in read) return read.value;
    problems.push(`${flag} is ${JSON.stringify(text)}; ${read.problem}`);
    return Number.NaN;
  };
}

/** Parses an option that is a comma-separated list of distinct quantities; returns them in ascending order. */
export function quantities(rule: QuantityRule, most = 1000) {
  const readOne = quantity(rule);
  return (text: string, flag: string, problems: Problems): number[] => {
    const values = text.split(',').map((item) => readOne(item.trim(), flag, problems));
    if (values.some(Number.isNaN)) return [];
    if (new Set(values).size < values.length) problems.push(`${flag} ${text} names a value twice`);
    if (values.length > most)
      problems.push(`${flag} names ${values.length} values; at most ${most} fit`);
    return values.toSorted((one, other) => one - other);
  };
}
