import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';

/** Paths of the origin, used by every part of the project. */

/** An empty page, cross-origin isolated, so that its clock steps in 5 µs. */
export const pagePath = '/page';

/** A small cacheable response that belongs to no workload, for warming up a cache. */
export const warmUpPath = '/warm-up';

/** Common prefix of all paths of a workload. */
function workloadPath(name: string): string {
  return `/workloads/${encodeURIComponent(name)}`;
}

/** The older version; its response registers it as a dictionary. */
export function dictionaryPath(name: string): string {
  return `${workloadPath(name)}/dictionary`;
}

/** The match pattern of the dictionary (RFC 9842: a URLPattern without regexp groups), for the paths below. */
export function matchPattern(name: string): string {
  return `${workloadPath(name)}/resource*`;
}

/** The newer version in the negotiated coding, or pinned to one coding: an arm. */
export function resourcePath(name: string, arm?: Coding): string {
  return `${workloadPath(name)}/resource${arm === undefined ? '' : `/${arm}`}`;
}

/**
 * The newer version in an arm's coding at a separate URL for each number, for first loads. For a coding without
 * dictionary no dictionary matches the URL: a client with a matching dictionary would read it, whether the response
 * uses it or not.
 */
export function firstLoadPath(name: string, arm: Coding, number: number): string {
  const path = dictionaryCodings.includes(arm)
    ? resourcePath(name, arm)
    : `${workloadPath(name)}/plain/${arm}`;
  return `${path}?load=${number}`;
}

/**
 * A small response that is never stored and that matches the dictionary: its request shows whether the dictionary is
 * advertised.
 */
export function probePath(name: string, attempt: number): string {
  return `${workloadPath(name)}/resource-probe?attempt=${attempt}`;
}
