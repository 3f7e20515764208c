import type { Load } from './load.ts';

/** Headers that let anyone who reads a file act as the user. DevTools leaves out the same ones. */
const secret: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
]);

/** Whether a header lets anyone who reads it act as the user. */
export function isSecretHeader(name: string): boolean {
  return secret.has(name.toLowerCase());
}

/** A load without the headers that carry cookies and credentials; URLs are left as they are. */
export function sanitizedLoad(load: Load): Load {
  return { ...load, resources: load.resources.map(sanitized) };
}

type Resource = Load['resources'][number];

function sanitized(resource: Resource): Resource {
  const { requestHeaders, responseHeaders, ...rest } = resource;
  return {
    ...rest,
    ...(requestHeaders && { requestHeaders: requestHeaders.filter(isHarmless) }),
    ...(responseHeaders && { responseHeaders: responseHeaders.filter(isHarmless) }),
  };
}

function isHarmless([name]: readonly [string, string]): boolean {
  return !isSecretHeader(name);
}
