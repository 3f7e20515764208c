import { type AttributedResource, isFromCache } from '../attribution/attributed-resource.ts';
import { cacheSources } from '../attribution/cache-source.ts';
import { fieldValue, type HeaderFields } from './header-fields.ts';
import { type Resource, resourceTypes } from './load.ts';
import { schemeOf } from '../web-url.ts';

/** Whether a resource stays in view. */
export type Matches = (row: AttributedResource) => boolean;

/** A condition, or why the value is invalid. */
export type FilterCondition = { matches: Matches } | { problem: string };

interface FilterKey {
  /** The values allowed after the colon, as shown to the user. */
  values: string;
  /** Common values, which are suggested. Absent: any text. */
  words?: readonly string[];
  /** Parses the value, which is in lower case. */
  read: (value: string) => FilterCondition;
}

/** `source:sw` is shorter to type. */
const sourceAliases: ReadonlyMap<string, string> = new Map([
  ['sw', 'service-worker'],
  ['serviceworker', 'service-worker'],
  ['swr', 'stale-while-revalidate'],
]);

const states: Readonly<Record<string, Matches>> = {
  'from-cache': ({ attribution }) => isFromCache(attribution),
  running: ({ resource }) => resource.isRunning === true,
  'service-worker-initiated': ({ resource }) => resource.context === 'service-worker',
  'service-worker-intercepted': ({ attribution }) => attribution.source === 'service-worker',
};

const coding: FilterKey = {
  values: 'a content coding (identity, gzip, br, zstd, dcb, dcz) or unknown',
  words: ['identity', 'gzip', 'br', 'zstd', 'dcb', 'dcz', 'unknown'],
  read: (value) => equal(value, ({ resource }) => [resource.coding ?? 'unknown']),
};

/**
 * The keys of the filter: DevTools' own, and `source:`, `coding:` (also `encoding:`) and `stored-larger-than:`. An unknown value matches `unknown` if the key
 * has that word, and nothing else.
 */
export const filterKeys: Readonly<Record<string, FilterKey>> = {
  domain: {
    values: 'a host, `*` for any part of it',
    read: (value) => wildcard(value, ({ resource }) => urlsOf(resource).map(hostOf)),
  },
  coding,
  'cookie-name': {
    values: 'the name of a cookie that was sent',
    read: (value) => equal(value, ({ resource }) => cookieNames(resource)),
  },
  encoding: coding,
  'has-request-header': {
    values: 'the name of a header',
    read: (value) => equal(value, ({ resource }) => namesOf(resource.requestHeaders)),
  },
  'has-response-header': {
    values: 'the name of a header',
    read: (value) => equal(value, ({ resource }) => namesOf(resource.responseHeaders)),
  },
  is: {
    values: Object.keys(states).join(', '),
    words: Object.keys(states),
    read: (value) => oneOf(value, Object.keys(states), states[value] ?? (() => false)),
  },
  'larger-than': {
    values: 'bytes transferred: 100, 10k or 2M; 0 for a cache hit',
    read: (value) => largerThan(value, ({ resource }) => resource.transferredBytes),
  },
  method: {
    values: 'a request method',
    read: (value) => equal(value, ({ resource }) => [resource.method?.toLowerCase()]),
  },
  'mime-type': {
    values: 'a media type, `*` for any part of it',
    read: (value) => wildcard(value, ({ resource }) => [resource.mimeType?.toLowerCase()]),
  },
  priority: {
    values: 'an initial priority: VeryLow, Low, Medium, High, VeryHigh',
    words: ['VeryLow', 'Low', 'Medium', 'High', 'VeryHigh'],
    read: (value) => equal(value, ({ resource }) => [resource.priority?.toLowerCase()]),
  },
  'resource-type': {
    values: resourceTypes.join(', '),
    words: resourceTypes,
    read: (value) => oneOf(value, resourceTypes, ({ resource }) => resource.type === value),
  },
  scheme: {
    values: 'a URL scheme',
    read: (value) => equal(value, ({ resource }) => urlsOf(resource).map(schemeOf)),
  },
  source: { values: `${cacheSources.join(', ')} or sw`, words: cacheSources, read: source },
  'status-code': {
    values: 'a status code, `*` for any part of it, or unknown',
    read: (value) => wildcard(value, ({ resource }) => [String(resource.status ?? 'unknown')]),
  },
  'stored-larger-than': {
    values: 'the size of what came from a cache: 100, 10k or 2M',
    read: (value) => largerThan(value, storedBytes),
  },
  url: {
    values: 'a part of the URL',
    read: (value) => ({ matches: ({ resource }) => hasText(resource, value) }),
  },
};

/** The filter texts that continue what is typed: the keys, and after a key its common values. */
export function filterSuggestions(text: string): string[] {
  const [, before = '', minus = '', typed = ''] = /^(.*?)(-?)(\S*)$/s.exec(text) ?? [];
  const [key = '', value] = typed.toLowerCase().split(':');
  const words = value === undefined ? Object.keys(filterKeys) : wordsOf(key);
  return words
    .map((word) => (value === undefined ? `${word}:` : `${key}:${word}`))
    .filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()) && word !== typed)
    .map((word) => before + minus + word);
}

function wordsOf(key: string): readonly string[] {
  return Object.hasOwn(filterKeys, key) ? (filterKeys[key]?.words ?? []) : [];
}

/** The requested URL, and that of the response after redirects: DevTools has a row for each. */
export function urlsOf({ url, finalUrl }: Resource): string[] {
  return finalUrl === undefined ? [url] : [url, finalUrl];
}

/** Whether a URL of the resource contains the text, which is in lower case. */
export function hasText(resource: Resource, text: string): boolean {
  return urlsOf(resource).some((url) => url.toLowerCase().includes(text));
}

/** The texts of a row that are compared; undefined: it has none. */
type TextsOf = (row: AttributedResource) => readonly (string | undefined)[];

function equal(value: string, of: TextsOf): FilterCondition {
  return { matches: (row) => of(row).includes(value) };
}

function wildcard(value: string, of: TextsOf): FilterCondition {
  const parts = value.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
  return {
    matches: (row) => of(row).some((found) => found !== undefined && pattern.test(found)),
  };
}

function oneOf(value: string, words: readonly string[], matches: Matches): FilterCondition {
  if (words.includes(value)) return { matches };
  return { problem: `“${value}” is not one of ${words.join(', ')}` };
}

function source(value: string): FilterCondition {
  const [typed = '', detail] = value.split('/');
  const name = sourceAliases.get(typed) ?? typed;
  return oneOf(
    name,
    cacheSources,
    ({ attribution }) =>
      attribution.source === name && (detail === undefined || attribution.detail === detail),
  );
}

const size = /^(\d+(?:\.\d+)?)(?:([km])b?)?$/;
const factors: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/** DevTools counts k as 1,000 here. */
function largerThan(
  value: string,
  bytesOf: (row: AttributedResource) => number | null,
): FilterCondition {
  const [, digits, unit] = size.exec(value) ?? [];
  if (digits === undefined) return { problem: `“${value}” is not a size such as 100, 10k or 2M` };
  const bytes = Number(digits) * (factors[unit ?? ''] ?? 1);
  return { matches: (row) => (bytesOf(row) ?? Number.NEGATIVE_INFINITY) >= bytes };
}

/** Of a hit: the entry on disk where the lab has read it, else the body as encoded. */
function storedBytes(row: AttributedResource): number | null {
  const { storedBytes: onDisk, encodedBytes } = row.resource;
  return isFromCache(row.attribution) ? (onDisk ?? encodedBytes) : null;
}

function namesOf(fields: HeaderFields = []): string[] {
  return fields.map(([name]) => name.toLowerCase());
}

/** Names of the cookies that the request carried (RFC 6265 section 5.4). */
function cookieNames({ requestHeaders = [] }: Resource): string[] {
  const pairs = (fieldValue(requestHeaders, 'cookie') ?? '').split(/[;,]/);
  return pairs.map((pair) => (pair.split('=')[0] ?? '').trim().toLowerCase());
}

/** The host without port; undefined for a URL that has none. */
function hostOf(url: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url)?.[1]?.toLowerCase();
}
