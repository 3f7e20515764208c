import { parseItem } from 'structured-headers';
import { fieldValue, type HeaderFields, listMembers } from '../load/header-fields.ts';
import { type Load, type Resource, type ResourceType, responseUrl } from '../load/load.ts';
import { type CookieAccess, cookieAccess } from './cookie-access.ts';
import { originOf } from './known.ts';

/** The facts that decide whether a dictionary may serve a request (RFC 9842 section 2.2). */
export interface DictionaryRequest {
  url: string;
  origin: string | null;
  pageOrigin: string | null;
  /** Request destination (Fetch standard); null: unknown. */
  destination: string | null;
  cookieAccess: CookieAccess;
  /** When it was made, ms since the epoch. */
  madeAt: number;
  /** Sent fields about dictionaries; null when the fields that were actually sent are unknown. */
  sent: SentFields | null;
}

/** The fields of a request that concern dictionaries. */
export interface SentFields {
  /** Content codings of Accept-Encoding, lower case. */
  accepted: readonly string[];
  /** SHA-256 of the offered dictionary, lower-case hex; null when none was offered. */
  hash: string | null;
  /** Dictionary-ID; empty when there was none. */
  id: string;
}

/** The request for a resource of a load; after redirects, the last one. */
export function dictionaryRequest(resource: Resource, load: Load): DictionaryRequest {
  const { requestHeaders = [] } = resource;
  const url = responseUrl(resource);
  return {
    url,
    origin: originOf(url),
    pageOrigin: originOf(load.url),
    destination: destinationOf(resource),
    cookieAccess: cookieAccess(resource, load),
    madeAt: Date.parse(load.startedAt) + resource.startMs,
    sent: sentFields(requestHeaders),
  };
}

/** Chromium sends Accept-Encoding with every request: fields without it are provisional. */
function sentFields(headers: HeaderFields): SentFields | null {
  const accepted = fieldValue(headers, 'accept-encoding');
  if (accepted === null) return null;
  const hash = bareItem(fieldValue(headers, 'available-dictionary'));
  const id = bareItem(fieldValue(headers, 'dictionary-id'));
  return {
    accepted: listMembers(accepted),
    hash: hash instanceof ArrayBuffer ? hex(new Uint8Array(hash)) : null,
    id: typeof id === 'string' ? id : '',
  };
}

function bareItem(value: string | null): unknown {
  if (value === null) return null;
  try {
    return parseItem(value)[0];
  } catch {
    return null;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Types that are requested with one destination only. */
const byType: Partial<Record<ResourceType, string>> = {
  stylesheet: 'style',
  image: 'image',
  font: 'font',
  manifest: 'manifest',
  fetch: '',
};

function destinationOf({ type, requestHeaders = [] }: Resource): string | null {
  const told = fieldValue(requestHeaders, 'sec-fetch-dest');
  if (told !== null) return told === 'empty' ? '' : told;
  return byType[type] ?? null;
}
