import type { ValidatorFrom } from '../request-log.ts';

/**
 * Who made a request conditional, by the place of If-None-Match among its fields: Chromium sends them in the order in
 * which they were added. What the renderer writes stands before Accept-Encoding, which the network service adds; what
 * the HTTP cache writes stands after it. undefined: the request is not conditional.
 *
 * @param rawHeaders names and values in turn, as received
 */
export function validatorFrom(rawHeaders: readonly string[]): ValidatorFrom | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const place = names.indexOf('if-none-match');
  if (place < 0) return undefined;
  return place < names.indexOf('accept-encoding') ? 'renderer' : 'http-cache';
}
