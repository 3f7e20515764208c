import type { Evidence } from './evidence.ts';

/** Errors of requests that were never sent. */
const unsent = /^net::ERR_BLOCKED_BY_(CLIENT|ADMINISTRATOR|CSP|ENTERPRISE)/;

/** Whether the requester aborted it. Bytes that had arrived before still have a source. */
export function isAborted(error: string | undefined): boolean {
  return error === 'net::ERR_ABORTED';
}

/** Errors that can occur after a part of the body has arrived: the response still has a source. */
const midway =
  /^net::ERR_(CONTENT_|INCOMPLETE_CHUNKED|CONNECTION_(RESET|CLOSED|ABORTED)|HTTP2_|QUIC_|NETWORK_|TIMED_OUT|INTERNET_DISCONNECTED|CACHE_READ)/;

/** Whether a part of the body may have arrived before this error. */
export function mayHaveBody(error: string | undefined): boolean {
  return midway.test(error ?? '');
}

/** Whether this error means that the request was never sent. */
export function isUnsent(error: string | undefined): boolean {
  return unsent.test(error ?? '');
}

/**
 * Why a request was blocked or failed: `CSP`, `CORS`, DevTools' blocked reason or `net::ERR_…`; undefined when unknown.
 */
export function failureOf(evidence: Evidence): string | undefined {
  const { page, webRequest, devtools, debugger: network } = evidence;
  if (page?.blockedBy !== undefined || network?.blockedReason === 'csp') return 'CSP';
  if (network?.corsError !== undefined) return 'CORS';
  return (
    network?.blockedReason ||
    network?.errorText ||
    webRequest?.error ||
    devtools?.error ||
    undefined
  );
}
