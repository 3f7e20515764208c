/** The request headers that say whether its sender may read the response, and what the response allows. */
export interface ReadabilityEvidence {
  secFetchSite?: string | undefined;
  secFetchMode?: string | undefined;
  origin?: string | undefined;
  /** Access-Control-Allow-Origin of the response to be. */
  allowOrigin?: string | undefined;
}

/**
 * Whether a response may be compressed with a dictionary: only when the page that asks may read it, because sizes
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
