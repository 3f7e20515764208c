import { type DictionaryOffer, dictionaryOffer } from './offer.ts';
import { usableUntil } from '../caching/freshness.ts';
import { fieldValue } from '../load/header-fields.ts';
import { type Load, type Resource, responseUrl } from '../load/load.ts';
import { count } from '../quantity.ts';
import { parsedUrl } from '../web-url.ts';

/** A response of a load that offered itself as a dictionary. */
export interface KnownDictionary {
  url: string;
  origin: string;
  /** Dictionaries of pages of different origins are kept apart (RFC 9842 section 9.3). */
  pageOrigin: string | null;
  /** null: a browser must ignore the offer, for the reasons in `problems`. */
  offer: DictionaryOffer | null;
  problems: string[];
  /** When it had arrived completely, ms since the epoch. */
  registeredAt: number;
  /** The browser may offer it before this time, ms since the epoch. */
  usableUntil: number;
  /** Decoded size of the dictionary, bytes; null: unknown. */
  decodedBytes: number | null;
}

/** What an offer depends on. */
type OfferingLoad = Pick<Load, 'startedAt' | 'url'>;
type OfferingResource = Pick<
  Resource,
  'url' | 'status' | 'startMs' | 'durationMs' | 'decodedBytes'
> &
  Partial<Pick<Resource, 'finalUrl' | 'requestHeaders' | 'responseHeaders'>>;

/** Every dictionary that the responses of these loads offered, as far as their header fields are known. */
export function dictionariesOf(loads: readonly Load[]): KnownDictionary[] {
  return loads.flatMap((load) =>
    load.resources.flatMap((resource) => offeredDictionary(resource, load) ?? []),
  );
}

/** The dictionary that this response of a load offered; null: none, or its header fields are unknown. */
export function offeredDictionary(
  resource: OfferingResource,
  load: OfferingLoad,
): KnownDictionary | null {
  const value = fieldValue(resource.responseHeaders ?? [], 'use-as-dictionary');
  return value === null ? null : knownDictionary(value, resource, load);
}

function knownDictionary(
  value: string,
  resource: OfferingResource,
  load: OfferingLoad,
): KnownDictionary {
  const { status, startMs, durationMs, responseHeaders = [], decodedBytes } = resource;
  const url = responseUrl(resource);
  const registeredAt = Date.parse(load.startedAt) + startMs + (durationMs ?? 0);
  // Vary is for the HTTP cache: the lifetime of a dictionary is computed without it (shared_dictionary_storage.cc).
  const headers = responseHeaders.filter(([name]) => name.toLowerCase() !== 'vary');
  const until = usableUntil({ status, headers, receivedAt: registeredAt });
  const offer = dictionaryOffer(value, url);
  const problems = [
    ...('problems' in offer ? offer.problems : []),
    ...(until <= registeredAt ? ['the response may not be reused: it is stale immediately'] : []),
    ...sizeProblems(decodedBytes),
    ...(isOpaque(resource) ? ['the page may not read the response (no-cors, another origin)'] : []),
  ];
  return {
    url,
    origin: originOf(url) ?? url,
    pageOrigin: originOf(load.url),
    offer: 'value' in offer && problems.length === 0 ? offer.value : null,
    problems,
    registeredAt,
    usableUntil: until,
    decodedBytes,
  };
}

/** Largest dictionary that Chromium keeps, bytes (shared_dictionary_constants.cc). */
const mostBytes = 100 * 1024 ** 2;

function sizeProblems(decodedBytes: number | null): string[] {
  if (decodedBytes === 0) return ['it is empty'];
  if (decodedBytes === null || decodedBytes <= mostBytes) return [];
  return [`it has ${count(decodedBytes)} bytes; Chromium keeps at most ${count(mostBytes)}`];
}

/** The origin of a URL; null when it has none. */
export function originOf(url: string): string | null {
  const origin = parsedUrl(url)?.origin ?? 'null';
  return origin === 'null' ? null : origin;
}

/**
 * Whether the page requested it without CORS from another origin, according to the request's own fields (Fetch
 * Metadata).
 */
export function isOpaque({ requestHeaders = [] }: Pick<Resource, 'requestHeaders'>): boolean {
  const site = fieldValue(requestHeaders, 'sec-fetch-site');
  return (
    fieldValue(requestHeaders, 'sec-fetch-mode') === 'no-cors' &&
    (site === 'cross-site' || site === 'same-site')
  );
}
