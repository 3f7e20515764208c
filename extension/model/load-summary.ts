import { type AttributedResource, isFromCache } from './attributed-resource.ts';

/** A sum over what is known, and how many did not tell. */
export interface KnownSum {
  /** 0 for no resources; null when there are some and none told a number. */
  bytes: number | null;
  unknown: number;
}

/** What the summary bar says of the resources in view. */
export interface LoadSummary {
  requests: number;
  /** Bytes that crossed the network. */
  transferred: KnownSum;
  /** Bytes after content decoding. */
  decoded: KnownSum;
  fromCache: number;
  /** Resources whose source is not known. */
  unknownSource: number;
  /** End of the last finished resource, ms since the load began; null when none has finished. */
  finishMs: number | null;
}

/** Adds up a load, or what a filter left of it. Nothing unknown is counted as 0. */
export function summarizeLoad(rows: readonly AttributedResource[]): LoadSummary {
  const ends = rows.flatMap(({ resource: { startMs, durationMs } }) =>
    durationMs === null ? [] : [startMs + durationMs],
  );
  return {
    requests: rows.length,
    transferred: sum(rows.map(({ resource }) => resource.transferredBytes)),
    decoded: sum(rows.map(({ resource }) => resource.decodedBytes)),
    fromCache: rows.filter(({ attribution }) => isFromCache(attribution)).length,
    unknownSource: rows.filter(({ attribution }) => attribution.source === 'unknown').length,
    finishMs: ends.length === 0 ? null : ends.reduce((latest, end) => Math.max(latest, end)),
  };
}

/** How many resources came from each source, most frequent first. */
export function countSources(
  rows: readonly AttributedResource[],
): { source: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { attribution } of rows) {
    counts.set(attribution.source, (counts.get(attribution.source) ?? 0) + 1);
  }
  return [...counts]
    .map(([source, count]) => ({ source, count }))
    .toSorted((one, other) => other.count - one.count || one.source.localeCompare(other.source));
}

function sum(values: readonly (number | null)[]): KnownSum {
  const known = values.filter((value) => value !== null);
  return {
    bytes:
      known.length === 0 && values.length > 0
        ? null
        : known.reduce((total, value) => total + value, 0),
    unknown: values.length - known.length,
  };
}
