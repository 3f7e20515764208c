import type { PageResource } from '@cachescope/model/pageload/page.ts';

/** Path of a resource of the page: its place makes it unlike all others, its name is for people. */
export function pageResourcePath(place: number, { name }: Pick<PageResource, 'name'>): string {
  return `/pageload/new/${place}/${name}`;
}

/** The version before; its response registers it as the dictionary of the one above. */
export function olderPath(place: number, { name }: Pick<PageResource, 'name'>): string {
  return `/pageload/old/${place}/${name}`;
}

/** What the version before is a dictionary for (RFC 9842 section 2.1.1). */
export function pageMatchPattern(place: number): string {
  return `/pageload/new/${place}/*`;
}

/** No resource has this name (`~`). A small response that is never stored and that the dictionary matches: its request tells whether it is advertised. */
export function pageProbePath(place: number, attempt: number): string {
  return `/pageload/new/${place}/~probe?attempt=${attempt}`;
}
