import type { PageEvidence } from '@cachescope/model/attribution/evidence.ts';

/**
 * What the origin of a URL tells about its request. `origin`: the document's own, as `self.origin`; undefined: unknown.
 * Same-origin requests hide no times, and an HTTPS document sends no http: requests. So for these URLs an entry without
 * times may mean that the request was blocked.
 */
export function originEvidence(
  url: string,
  origin: string | undefined,
): Pick<PageEvidence, 'isSameOrigin' | 'mayBeBlocked'> {
  if (URL.parse(url)?.origin === origin) return { isSameOrigin: true, mayBeBlocked: true };
  const isLessSecure = url.startsWith('http:') && origin?.startsWith('https:') === true;
  return isLessSecure ? { mayBeBlocked: true } : {};
}
