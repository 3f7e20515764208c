import type { Evidence } from './evidence.ts';

/** Errors that say that nothing was sent. */
const unsent = /^net::ERR_BLOCKED_BY_(CLIENT|ADMINISTRATOR|CSP|ENTERPRISE)/;

/** Whoever asked gave it up: what had come until then came from somewhere all the same. */
export function isGivenUp(error: string | undefined): boolean {
  return error === 'net::ERR_ABORTED';
}

/** Errors that may come when a part of the body is there: the response came from somewhere all the same. */
const midway =
  /^net::ERR_(CONTENT_|INCOMPLETE_CHUNKED|CONNECTION_(RESET|CLOSED|ABORTED)|HTTP2_|QUIC_|NETWORK_|TIMED_OUT|INTERNET_DISCONNECTED|CACHE_READ)/;

/** Whether a part of the body may have come before this error. */
export function mayHaveBody(error: string | undefined): boolean {
  return midway.test(error ?? '');
}

/** Whether this error says that the request was never sent. */
export function isUnsent(error: string | undefined): boolean {
  return unsent.test(error ?? '');
}

/** Why a request was blocked or failed: `CSP`, `CORS`, DevTools' word or `net::ERR_…`; undefined when nobody told. */
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
