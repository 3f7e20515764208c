import { fieldValue } from '../load/header-fields.ts';
import { type Load, type Resource, responseUrl } from '../load/load.ts';
import { originOf } from './known.ts';

/**
 * Cookie access of a request, which also decides whether dictionaries may be used (RFC 9842 section 10). `first-party`:
 * the request is to the page's own site. `allowed` and `blocked`: it is to another site, and Chromium allows or blocks
 * third-party cookies. `unknown`: no request of the load shows it.
 */
export type CookieAccess = 'first-party' | 'allowed' | 'blocked' | 'unknown';

/**
 * The cookie access of a resource's request, determined from all requests of the load to the same origin. A request
 * made inside a frame says `same-origin` about itself; only the request for the frame's document shows that the site is
 * another one.
 */
export function cookieAccess(resource: Resource, load: Load): CookieAccess {
  const origin = originOf(responseUrl(resource));
  if (origin === originOf(load.url)) return 'first-party';
  const others = load.resources.filter((each) => originOf(responseUrl(each)) === origin);
  const told = (name: string): string[] =>
    [resource, ...others]
      .filter((each) => field(each, 'sec-fetch-dest') !== 'document')
      .map((each) => field(each, name))
      .filter((value) => value !== null);
  const sites = told('sec-fetch-site');
  if (!sites.includes('cross-site')) return sites.includes('same-site') ? 'first-party' : 'unknown';
  // Chromium sends this field with every cross-site request that may carry cookies; a partitioned cookie proves no
  // access.
  const [storageAccess] = told('sec-fetch-storage-access');
  if (storageAccess !== undefined) return storageAccess === 'active' ? 'allowed' : 'blocked';
  return told('cookie').length > 0 ? 'allowed' : 'unknown';
}

function field({ requestHeaders = [] }: Resource, name: string): string | null {
  return fieldValue(requestHeaders, name);
}
