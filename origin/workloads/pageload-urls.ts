import type { PageResource } from '@cachescope/model/pageload/page.ts';

/** Path of a resource of the page: its place makes it unique, its name is for people. */
export function pageResourcePath(place: number, { name }: Pick<PageResource, 'name'>): string {
  return `/pageload/new/${place}/${name}`;
}

/** The previous version; its response registers it as the dictionary of the resource above. */
export function olderPath(place: number, { name }: Pick<PageResource, 'name'>): string {
  return `/pageload/old/${place}/${name}`;
}

/** The match pattern of the previous version as a dictionary (RFC 9842 section 2.1.1). */
export function pageMatchPattern(place: number): string {
  return `/pageload/new/${place}/*`;
}

/**
 * A small response that is never stored and that matches the dictionary: its request shows whether the dictionary is
 * advertised. No resource has its name (`~`).
 */
export function pageProbePath(place: number, attempt: number): string {
  return `/pageload/new/${place}/~probe?attempt=${attempt}`;
}
