import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { chromiumDirectives } from '@cachescope/model/caching/cache-directives.ts';
import { dictionaryCodings } from '@cachescope/model/coding.ts';
import { fieldValue } from '@cachescope/model/load/header-fields.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { byteSize, unknownText } from '@cachescope/model/quantity.ts';
import { schemeOf } from '@cachescope/model/web-url.ts';

/** A response in Chromium's HTTP cache. */
export interface StoredForm {
  /** Its size, a dash when that is unknown, or that it is not stored. */
  text: string;
  /** Where the text is from. */
  says: string;
}

/** The size of a response in Chromium's HTTP cache, as far as it is known. */
export function storedForm(row: AttributedResource): StoredForm {
  const { resource } = row;
  const { storedBytes } = resource;
  if (storedBytes !== null)
    return { text: byteSize(storedBytes), says: 'Size of the entry’s file' };
  const obstacle = whyNotStored(row);
  if (obstacle !== null) return { text: 'not stored', says: obstacle };
  const open = whyUnknown(row);
  if (open !== null) return { text: unknownText, says: `Unknown: ${open}` };
  const body = bodyBytes(resource);
  return body === null
    ? { text: unknownText, says: 'Unknown: the size of the body is not known' }
    : { text: `≈ ${byteSize(body)}`, says: formOf(resource) };
}

function whyNotStored({ resource, attribution }: AttributedResource): string | null {
  const { url, method, type, responseHeaders = [] } = resource;
  if (!/^https?$/.test(schemeOf(url))) return 'The HTTP cache stores responses over HTTP only';
  if (attribution.source === 'blocked') return 'The request was never sent';
  // The response to a form submission is stored for the session history.
  const mayBeForm = method === 'POST' && type === 'document';
  if (method !== null && method !== 'GET' && !mayBeForm)
    return `Chromium stores no response to ${method}`;
  const directives = chromiumDirectives(fieldValue(responseHeaders, 'cache-control'));
  return directives.has('no-store') ? 'Its Cache-Control has no-store' : null;
}

/** Sources that prove that the HTTP cache has the response. */
const stored: ReadonlySet<string> = new Set([
  'disk',
  'stale-while-revalidate',
  'prefetch/link',
  'early-hints',
  'revalidated/http-cache',
]);

/** Sources for which the response's own facts do not show what is stored. */
const undecided: Readonly<Record<string, string>> = {
  unknown: 'the source is not known',
  failed: 'the response is incomplete, or there was none',
  mixed: 'only a part of the body was transferred',
  'service-worker': 'the service worker decides what is requested',
};

function whyUnknown({ resource, attribution }: AttributedResource): string | null {
  const { coding, status, method, responseHeaders } = resource;
  const { source, detail } = attribution;
  if (coding === null) return 'the coding is not known';
  if (status === 206 || status === 304) return `a response with status ${status} is not the whole`;
  if (stored.has(detail === undefined ? source : `${source}/${detail}`)) return null;
  if (Object.hasOwn(undecided, source)) return undecided[source] ?? null;
  if (method === 'POST') return 'Chromium may store the response to a form submission';
  return responseHeaders === undefined ? 'its Cache-Control is not known' : null;
}

function isDictionaryCoded({ coding }: Resource): boolean {
  return dictionaryCodings.some((each) => each === coding);
}

/** DCB and DCZ responses are stored decoded, all others as received. */
function bodyBytes(resource: Resource): number | null {
  const isDecoded = isDictionaryCoded(resource) || resource.coding === 'identity';
  return isDecoded ? resource.decodedBytes : resource.encodedBytes;
}

function formOf(resource: Resource): string {
  return isDictionaryCoded(resource)
    ? 'Chromium stores a dictionary-compressed response decoded; with its feature HttpCacheZstdCompression on, which cannot be seen here, it stores fewer bytes'
    : 'Chromium stores the body as received, and adds the headers';
}
