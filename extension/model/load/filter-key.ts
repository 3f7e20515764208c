import { type AttributedResource, isFromCache } from '../attribution/attributed-resource.ts';
import { cacheSources } from '../attribution/cache-source.ts';
import { type Resource, resourceTypes } from './load.ts';
import { schemeOf } from '../web-url.ts';

/** Whether a resource stays in view. */
export type Matches = (row: AttributedResource) => boolean;

/** A condition, or why the value is invalid. */
export type FilterCondition = { matches: Matches } | { problem: string };

interface FilterKey {
  /** The values allowed after the colon, as shown to the user. */
  values: string;
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

/**
 * The keys of the filter: DevTools' own, and `source:` and `encoding:`. An unknown value matches `unknown` if the key
 * has that word, and nothing else.
 */
export const filterKeys: Readonly<Record<string, FilterKey>> = {
  domain: {
    values: 'a host, `*` for any part of it',
    read: (value) => wildcard(value, ({ resource }) => urlsOf(resource).map(hostOf)),
  },
  encoding: {
    values: 'a content coding (identity, gzip, br, zstd, dcb, dcz) or unknown',
    read: (value) => equal(value, ({ resource }) => [resource.coding ?? 'unknown']),
  },
  'has-response-header': {
    values: 'the name of a header',
    read: (value) => ({
      matches: ({ resource }) =>
        resource.responseHeaders?.some(([name]) => name.toLowerCase() === value) ?? false,
    }),
  },
  is: {
    values: Object.keys(states).join(', '),
    read: (value) => oneOf(value, Object.keys(states), states[value] ?? (() => false)),
  },
  'larger-than': { values: 'a size such as 100, 10k or 2M', read: largerThan },
  method: {
    values: 'a request method',
    read: (value) => equal(value, ({ resource }) => [resource.method?.toLowerCase()]),
  },
  'mime-type': {
    values: 'a media type, `*` for any part of it',
    read: (value) => wildcard(value, ({ resource }) => [resource.mimeType?.toLowerCase()]),
  },
  'resource-type': {
    values: resourceTypes.join(', '),
    read: (value) => oneOf(value, resourceTypes, ({ resource }) => resource.type === value),
  },
  scheme: {
    values: 'a URL scheme',
    read: (value) => equal(value, ({ resource }) => urlsOf(resource).map(schemeOf)),
  },
  source: { values: `${cacheSources.join(', ')} or sw`, read: source },
  'status-code': {
    values: 'a status code, `*` for any part of it, or unknown',
    read: (value) => wildcard(value, ({ resource }) => [String(resource.status ?? 'unknown')]),
  },
  url: {
    values: 'a part of the URL',
    read: (value) => ({ matches: ({ resource }) => hasText(resource, value) }),
  },
};

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

/** DevTools counts k as 1,000 here and compares transferred bytes. */
function largerThan(value: string): FilterCondition {
  const [, digits, unit] = size.exec(value) ?? [];
  if (digits === undefined) return { problem: `“${value}” is not a size such as 100, 10k or 2M` };
  const bytes = Number(digits) * (factors[unit ?? ''] ?? 1);
  return {
    matches: ({ resource }) =>
      resource.transferredBytes !== null && resource.transferredBytes >= bytes,
  };
}

/** The host without port; undefined for a URL that has none. */
function hostOf(url: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url)?.[1]?.toLowerCase();
}
