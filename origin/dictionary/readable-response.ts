/**
 * The request headers that show whether the requesting page may read the response, and the response's own CORS header.
 */
export interface ReadabilityEvidence {
  secFetchSite?: string | undefined;
  secFetchMode?: string | undefined;
  origin?: string | undefined;
  /** Access-Control-Allow-Origin of the future response. */
  allowOrigin?: string | undefined;
}

/**
 * Whether a response may be compressed with a dictionary: only when the requesting page may read it, because sizes
 * would otherwise leak what the dictionary and the response share (RFC 9842 section 9.3.3, server responsibility).
 */
export function mayUseDictionary(evidence: ReadabilityEvidence): boolean {
  const { secFetchSite, secFetchMode, origin, allowOrigin } = evidence;
  if (secFetchSite === undefined || secFetchSite === 'same-origin') return true;
  if (secFetchMode === undefined || secFetchMode === 'navigate' || secFetchMode === 'same-origin')
    return true;
  if (secFetchMode !== 'cors' || origin === undefined || allowOrigin === undefined) return false;
  return allowOrigin === '*' || allowOrigin === origin;
}
