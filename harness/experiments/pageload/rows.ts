import { greatest, knownSum } from '@cachescope/model/extremes.ts';
import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { Load, Resource } from '@cachescope/model/load/load.ts';
import type { ResourceRow } from '@cachescope/model/pageload/load.ts';
import type { LoggedRequest } from '@cachescope/origin/request-log.ts';

/** The fields of the origin's log that describe a resource. */
export type PageRequest = Pick<LoggedRequest, 'path' | 'contentCoding' | 'bodyBytes'>;

/**
 * Each resource of a page as the extension measured it in a load, with its requests in the origin's log. `paths` is by
 * place.
 */
export function resourceRows(
  paths: readonly string[],
  originUrl: string,
  load: Pick<Load, 'resources'> | null,
  requests: readonly PageRequest[],
): ResourceRow[] {
  const seen = Map.groupBy(load?.resources ?? [], ({ url }) => url);
  const asked = Map.groupBy(requests, ({ path }) => path);
  return paths.map((path, place) =>
    rowOf(place, firstWhole(seen.get(originUrl + path) ?? []), asked.get(path) ?? []),
  );
}

/** Later uses of a URL share the response of the first one. */
function firstWhole(uses: readonly Resource[]): Resource | undefined {
  return uses.find(({ durationMs }) => durationMs !== null) ?? uses[0];
}

function rowOf(
  place: number,
  use: Resource | undefined,
  requests: readonly PageRequest[],
): ResourceRow {
  const endMs = use ? endOf(use) : null;
  return {
    place,
    source: use ? attribute(use.evidence).source : null,
    startMs: rounded(use?.startMs ?? null),
    responseStartMs: rounded(use?.responseStartMs ?? null),
    endMs: rounded(endMs),
    bodyBytes: use?.decodedBytes ?? null,
    requests: requests.length,
    sentBytes: knownSum(requests.map(({ bodyBytes }) => bodyBytes)),
    coding: requests.find(({ contentCoding }) => contentCoding !== null)?.contentCoding ?? null,
  };
}

/** The time of the last byte: the duration of a document's own entry includes its load event (Navigation Timing). */
function endOf({ startMs, durationMs, evidence }: Resource): number | null {
  if (durationMs === null) return null;
  const { startTime = 0, responseEnd = 0 } = evidence.page?.timing ?? {};
  return responseEnd > 0 ? startMs + responseEnd - startTime : startMs + durationMs;
}

/** Rounded to 1 µs, which is finer than any clock used here. */
export function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}

/** Time until the last resource arrived, ms; null: one did not arrive, or there are none. */
export function finishOf(rows: readonly ResourceRow[]): number | null {
  const ends = rows.map(({ endMs }) => endMs);
  return ends.includes(null) || ends.length === 0
    ? null
    : greatest(ends.filter((end) => end !== null));
}
