import { readQuantity, type QuantityRule } from '@cachescope/model/quantity-reading.ts';
import { type Link, type LinkDirection, mtuBytes } from '@cachescope/model/network/link.ts';
import { commaSeparated } from '../options/name-reading.ts';
import type { Problems } from '../options/option-reading.ts';
import { linkProfiles } from './link-profiles.ts';

/** Largest delay of one direction: TCP gives up a connection attempt after about two minutes (tcp_syn_retries). */
const delay: QuantityRule = { kind: 'time', from: '0ms', to: '10s' };
const part: QuantityRule = { kind: 'share', from: '0%', to: '99%' };

/** How each property of a direction is read, and where it is kept. */
const properties = {
  delay: { field: 'delayMs', rule: delay },
  jitter: { field: 'jitterMs', rule: delay },
  rate: { field: 'bitsPerSecond', rule: { kind: 'bits', from: '8kbit/s', to: '10Gbit/s' } },
  queue: { field: 'queueBytes', rule: { kind: 'size', from: `${mtuBytes}B`, to: '1GB' } },
  loss: { field: 'lossShare', rule: part },
  reorder: { field: 'reorderShare', rule: part },
} as const satisfies Record<string, { field: keyof LinkDirection; rule: QuantityRule }>;
type Property = keyof typeof properties;

/** A link without any effect; the queue is that of a network interface on Linux, 1,000 packets (ip-link(8), txqueuelen). */
export const plainDirection: LinkDirection = {
  delayMs: 0,
  jitterMs: 0,
  bitsPerSecond: null,
  queueBytes: 1000 * mtuBytes,
  lossShare: 0,
  reorderShare: 0,
};

/** The syntax, for descriptions of options. */
export const linkSyntax =
  'none, a profile, or a one-way delay with any of rate, queue, loss, jitter, reorder: 20ms,50Mbit/s,queue=256KiB,loss=0.1%; each direction by itself: up.rate=1Mbit/s';

/**
 * Reads links that are separated by commas: each begins with `none`, the name of a profile or a delay, and the terms up to
 * the next one belong to it. null: none, the loopback interface.
 */
export function readLinks(text: string, flag: string, problems: Problems): (Link | null)[] {
  const groups: string[][] = [];
  for (const term of commaSeparated(text)) {
    if (groups.length === 0 || beginsLink(term)) groups.push([term]);
    else groups.at(-1)?.push(term);
  }
  const links = groups.map((terms) => readLink(terms, flag, problems));
  const names = links.map((link) => link?.name ?? 'none');
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names a link twice`);
  return links;
}

function beginsLink(term: string): boolean {
  return (
    term === 'none' || Object.hasOwn(linkProfiles, term) || 'value' in readQuantity(term, delay)
  );
}

function readLink(terms: readonly string[], flag: string, problems: Problems): Link | null {
  const [first = '', ...rest] = terms;
  if (first === 'none') {
    if (rest.length > 0) problems.push(`${flag} none has no properties, such as ${rest.join(',')}`);
    return null;
  }
  const { link: profile } = Object.hasOwn(linkProfiles, first) ? (linkProfiles[first] ?? {}) : {};
  const link: Link = {
    name: terms.join(','),
    up: { ...plainDirection },
    down: { ...plainDirection },
  };
  if (profile === undefined && !beginsLink(first)) problems.push(`${flag} ${first} ${beginning()}`);
  else
    for (const term of [...commaSeparated(profile ?? first), ...rest])
      readTerm(link, term, flag, problems);
  if ([link.up, link.down].some(({ jitterMs, delayMs }) => jitterMs > delayMs))
    problems.push(`${flag} ${link.name}: the jitter is above the delay`);
  return link;
}

function beginning(): string {
  return `does not begin a link: known are none, a delay such as 20ms, and the profiles ${Object.keys(linkProfiles).join(', ')}`;
}

/** Reads `50Mbit/s`, `loss=0.1%` or `up.rate=1Mbit/s` into a link. */
function readTerm(link: Link, term: string, flag: string, problems: Problems): void {
  const [, direction, name, value] = /^(?:(?:(up|down)\.)?([a-z]+)=)?(.*)$/.exec(term) ?? [];
  const property = name ?? ('value' in readQuantity(term, delay) ? 'delay' : 'rate');
  if (!Object.hasOwn(properties, property)) {
    problems.push(
      `${flag} ${link.name}: ${term} is unknown; known are ${Object.keys(properties).join(', ')}`,
    );
    return;
  }
  const { field, rule } = properties[property as Property];
  const read = readQuantity(value ?? '', rule);
  if ('problem' in read) {
    problems.push(`${flag} ${link.name}: ${property} is ${JSON.stringify(value)}; ${read.problem}`);
    return;
  }
  if (direction !== 'down') link.up[field] = read.value;
  if (direction !== 'up') link.down[field] = read.value;
}
