import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';

/** Paths of the origin, as every part of the house writes them. */

/** An empty page, cross-origin isolated, so that its clock steps in 5 µs. */
export const pagePath = '/page';

/** A small cacheable response that belongs to no workload: a cache warms up on it. */
export const warmUpPath = '/warm-up';

/** `base` of all paths of a workload. */
function workloadPath(name: string): string {
  return `/workloads/${encodeURIComponent(name)}`;
}

/** The older version; its response registers it as dictionary. */
export function dictionaryPath(name: string): string {
  return `${workloadPath(name)}/dictionary`;
}

/** What the dictionary is for: an RFC 9842 match pattern (URLPattern, no regexp groups) over the paths below. */
export function matchPattern(name: string): string {
  return `${workloadPath(name)}/resource*`;
}

/** The newer version in the coding that the client and the origin agree on, or pinned to one coding: an arm. */
export function resourcePath(name: string, arm?: Coding): string {
  return `${workloadPath(name)}/resource${arm === undefined ? '' : `/${arm}`}`;
}

/**
 * The newer version in an arm's coding by a URL of its own for each number: a first load. Of a coding without dictionary it
 * lies where no dictionary matches: a client that has one to offer would read it, whether the answer uses it or not.
 */
export function firstLoadPath(name: string, arm: Coding, number: number): string {
  const path = dictionaryCodings.includes(arm)
    ? resourcePath(name, arm)
    : `${workloadPath(name)}/plain/${arm}`;
  return `${path}?load=${number}`;
}

/** A small response that is never stored and that the dictionary matches: its request tells whether it is advertised. */
export function probePath(name: string, attempt: number): string {
  return `${workloadPath(name)}/resource-probe?attempt=${attempt}`;
}
