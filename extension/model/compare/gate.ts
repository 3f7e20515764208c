import type { Parsed } from '../parsed.ts';
import { readQuantity } from '../quantity-reading.ts';

/** A rule for a comparison: a limit for the difference of B from A. */
export interface Gate {
  /** The rule as typed: `slower:5%`. */
  text: string;
  /** Name of the metric that the rule is for; undefined: the metric of the comparison. */
  metric: string | undefined;
  /** The direction in which B must not differ; `either`: both. */
  direction: 'greater' | 'lesser' | 'either';
  /**
   * The tolerated difference of B, 0 or more: a share of A's median, or an amount in the metric's unit. null: the gate
   * has none, and follows the verdict, so that the equivalence margin of the comparison counts.
   */
  limit: Limit | null;
}

/** The limit of a gate. */
export type Limit = { share: number } | { amount: number };

const words: Readonly<Record<string, Pick<Gate, 'metric' | 'direction'>>> = {
  any: { metric: undefined, direction: 'either' },
  slower: { metric: 'readMs', direction: 'greater' },
  faster: { metric: 'readMs', direction: 'lesser' },
};

const grammar =
  'a gate is any, slower or faster, with a limit or without, as slower:5% or slower:2ms; or a metric with a limit and its sign, as deviceReads:+1 or deviceReads:+10%';

/** Parses `slower:5%`, `any`, `deviceReads:+1`. Whether the metric exists is checked later, with a run. */
export function parsedGate(text: string): Parsed<Gate> {
  const [name = '', limitText, ...more] = text.trim().split(':');
  const word = Object.hasOwn(words, name) ? words[name] : undefined;
  const hasNoLimit = word !== undefined && limitText === undefined;
  const limit = word ? limitOfWord(limitText) : limitOfMetric(limitText);
  if (name === '' || more.length > 0 || (limit === null && !hasNoLimit))
    return { problems: [`--gate is ${JSON.stringify(text)}; ${grammar}`] };
  if (word) return { value: { text, ...word, limit } };
  const direction = limitText?.startsWith('-') ? 'lesser' : 'greater';
  return { value: { text, metric: name, direction, limit } };
}

function limitOfWord(text = ''): Limit | null {
  return shareOf(text) ?? amountOf(readQuantity(text, { kind: 'time', from: '0ms', to: '24h' }));
}

/** The name of a metric implies its unit, so its limit has no unit. */
function limitOfMetric(text = ''): Limit | null {
  const [, unsigned] = /^[+-](.+)$/.exec(text) ?? [];
  if (unsigned === undefined) return null;
  const number = /^\d+(\.\d{1,3})?$/.test(unsigned) ? Number(unsigned) : null;
  return number === null ? shareOf(unsigned) : { amount: number };
}

function shareOf(text: string): Limit | null {
  const read = readQuantity(text, { kind: 'share', from: '0%', to: '1000%' });
  return 'value' in read ? { share: read.value } : null;
}

function amountOf(read: ReturnType<typeof readQuantity>): Limit | null {
  return 'value' in read ? { amount: read.value } : null;
}
