import { attribute } from './cache-source.ts';
import type { Load, Resource } from '../load/load.ts';
import type { Attribution } from '../run/sample.ts';

/** A resource of a load with the verdict on where it came from: what a row of the panel shows. */
export interface AttributedResource {
  resource: Resource;
  attribution: Attribution;
}

/** Every resource of a load with its verdict, in the load's order. */
export function attributeLoad({ resources }: Pick<Load, 'resources'>): AttributedResource[] {
  return resources.map((resource) => ({ resource, attribution: attribute(resource.evidence) }));
}

/** Sources that need no answer of the origin before the page has the bytes. */
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
 * True when a cache answered and no request had to reach the origin first. A 304 asked the origin, so it is not from
 * cache, as in DevTools. An unknown source is not known to be from cache: false.
 */
export function isFromCache({ source, detail }: Attribution): boolean {
  if (source !== 'service-worker') return cached.has(source);
  return detail === 'http-cache' || detail === 'cache-storage';
}
