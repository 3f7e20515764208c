import type { IncomingHttpHeaders } from 'node:http';

/**
 * Fields of one connection, which no intermediary forwards or stores (RFC 9110 section 7.6.1, RFC 9111 section 3.1).
 */
const hopByHop =
  /^(connection|keep-alive|proxy-(authenticate|authentication-info|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/;

/** The fields that Connection names, in lower case. */
export function namedInConnection(connection: string | null | undefined): Set<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * The fields that an intermediary forwards: neither hop-by-hop fields nor those named in Connection. Content-Length is
 * forwarded even if named there: a message must not lose its framing.
 */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = namedInConnection(headers.connection);
  named.delete('content-length');
  const passed = Object.entries(headers).filter(
    ([name]) => !hopByHop.test(name) && !named.has(name),
  );
  return Object.fromEntries(passed);
}
