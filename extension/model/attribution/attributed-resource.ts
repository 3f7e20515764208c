import { attribute } from './cache-source.ts';
import type { Load, Resource } from '../load/load.ts';
import type { Attribution } from '../run/sample.ts';

/** A resource of a load with its attribution: the content of a row of the panel. */
export interface AttributedResource {
  resource: Resource;
  attribution: Attribution;
}

/** Every resource of a load with its verdict, in the load's order. */
export function attributeLoad({ resources }: Pick<Load, 'resources'>): AttributedResource[] {
  return resources.map((resource) => ({ resource, attribution: attribute(resource.evidence) }));
}

/** Sources that deliver the bytes to the page without waiting for a response of the origin. */
const cached: ReadonlySet<string> = new Set([
  'memory',
  'disk',
  'stale-while-revalidate',
  'prefetch',
  'early-hints',
  'bfcache',
  'preload',
  'same-document',
]);

/**
 * True when a cache answered without a prior request to the origin. A response revalidated with 304 needed the origin,
 * so it is not from cache, as in DevTools. False for an unknown source.
 */
export function isFromCache({ source, detail }: Attribution): boolean {
  if (source !== 'service-worker') return cached.has(source);
  return detail === 'http-cache' || detail === 'cache-storage';
}
