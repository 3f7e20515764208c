import { knownFields } from '../known-fields.ts';
import type { Load, Resource } from './load.ts';

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

function sanitized(resource: Resource): Resource {
  const [requestHeaders, responseHeaders] = [resource.requestHeaders, resource.responseHeaders].map(
    (fields) => fields?.filter(([name]) => !isSecretHeader(name)),
  );
  return { ...resource, ...knownFields({ requestHeaders, responseHeaders }) };
}
