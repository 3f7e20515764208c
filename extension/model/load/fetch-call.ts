import { type Resource, responseUrl } from './load.ts';
import { isSecretHeader } from './sanitized-load.ts';

/** Request header fields that a script may not set (Fetch standard, "forbidden request-header"). */
const forbidden = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/**
 * The request of a resource as a call of `fetch()`: after redirects the last request, with the header fields that a script
 * may set and without secrets. Without the body, which is unknown. null for a URL that is not http or https.
 */
export function fetchCall(resource: Resource): string | null {
  const { requestHeaders = [], method } = resource;
  const url = responseUrl(resource);
  if (!/^https?:/i.test(url)) return null;
  const names = new Set(requestHeaders.map(([name]) => name.toLowerCase()));
  const options = {
    ...(method === null || method === 'GET' ? {} : { method }),
    headers: Object.fromEntries(requestHeaders.filter(([name]) => mayBeSet(name.toLowerCase()))),
    credentials: names.has('cookie') || names.has('authorization') ? 'include' : 'omit',
  };
  return `fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});`;
}

function mayBeSet(name: string): boolean {
  return !/^(:|proxy-|sec-)/.test(name) && !forbidden.has(name) && !isSecretHeader(name);
}
