import { redirectStatuses } from './depth.ts';
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

/** Whether the redirect itself may be the response: then an error says only that it was not followed. */
function isHandedOn(webRequest: Evidence['webRequest']): boolean {
  return redirectStatuses.has(webRequest?.statusCode ?? 0);
}

/**
 * Why a request was blocked or failed, or its body is incomplete: `CSP`, `CORS`, DevTools' blocked reason, `net::ERR_…`
 * or words; undefined when unknown.
 */
export function failureOf(evidence: Evidence): string | undefined {
  const { page, webRequest, devtools, debugger: network } = evidence;
  if (page?.blockedBy !== undefined || network?.blockedReason === 'csp') return 'CSP';
  if (network?.corsError !== undefined) return 'CORS';
  return (
    network?.blockedReason ||
    network?.errorText ||
    (isHandedOn(webRequest) ? undefined : webRequest?.error) ||
    devtools?.error ||
    (network?.isCutShort || devtools?.isCutShort ? 'the body ends early' : undefined)
  );
}
