import { type Load, responseUrl } from '../load/load.ts';

/** The cached file of a response after the browser had closed. */
export interface StoredFile {
  storedBytes: number;
  /** When its bytes were last written, ms since 1970. */
  writtenAt: number;
}

/**
 * The loads with the stored size of each resource whose cache entry is known to be the one that existed at that load:
 * no later load wrote it again. All other sizes stay unknown.
 */
export function withStoredBytes(
  loads: readonly Load[],
  files: ReadonlyMap<string, StoredFile>,
): Load[] {
  const starts = startsByUrl(loads);
  return loads.map((load) => {
    const startedAt = Date.parse(load.startedAt);
    const resources = load.resources.map((resource) => {
      const url = responseUrl(resource);
      const file = files.get(url);
      const nextUse = starts.get(url)?.find((start) => start > startedAt) ?? Infinity;
      return file && file.writtenAt < nextUse
        ? { ...resource, storedBytes: file.storedBytes }
        : resource;
    });
    return { ...load, resources };
  });
}

/** When the response of each URL was used: the starts of the loads that have it, ascending, ms since 1970. */
function startsByUrl(loads: readonly Load[]): Map<string, number[]> {
  const uses = loads.flatMap(({ startedAt, resources }) =>
    resources.map((resource) => ({ url: responseUrl(resource), at: Date.parse(startedAt) })),
  );
  const inOrder = uses.toSorted((one, other) => one.at - other.at);
  const byUrl = Map.groupBy(inOrder, ({ url }) => url);
  return new Map([...byUrl].map(([url, own]) => [url, own.map(({ at }) => at)]));
}
