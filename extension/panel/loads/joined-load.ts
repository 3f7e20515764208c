import type { Load, Resource } from '@cachescope/model/load/load.ts';

/**
 * Joins consecutive loads into one, for a preserved log: times are relative to the start of the first. The times of its
 * events are unknown: each load has its own.
 */
export function joinLoads(loads: readonly Load[]): Load | null {
  const [first, ...later] = loads;
  if (!first || later.length === 0) return first ?? null;
  const began = Date.parse(first.startedAt);
  const last = later.at(-1) ?? first;
  const resources = loads
    .flatMap((load) => {
      const offsetMs = Date.parse(load.startedAt) - began;
      return load.resources.map((resource) => ({
        ...resource,
        startMs: resource.startMs + offsetMs,
        responseStartMs:
          resource.responseStartMs === null ? null : resource.responseStartMs + offsetMs,
      }));
    })
    .map((resource, sequence) => ({ ...resource, sequence }));
  return {
    ...first,
    id: loads.map(({ id }) => id).join(' '),
    url: last.url,
    domContentLoadedMs: null,
    loadMs: null,
    depths: [...new Set(loads.flatMap(({ depths }) => depths))],
    resources,
    warnings: [...new Set(loads.flatMap(({ warnings }) => warnings))],
  };
}

/** A resource of the joined load as it is in its own load, by its number in the joined one; null: there is none. */
export function inOwnLoad(
  loads: readonly Load[],
  sequence: number,
): { load: Load; resource: Resource } | null {
  let place = sequence;
  for (const load of loads) {
    const resource = load.resources[place];
    if (resource) return { load, resource };
    place -= load.resources.length;
  }
  return null;
}
