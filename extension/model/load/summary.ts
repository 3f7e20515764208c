import { type AttributedResource, isFromCache } from '../attribution/attributed-resource.ts';
import { type EvidenceDepth, evidenceDepths } from '../attribution/evidence.ts';

/** A sum over the known values, with the number of unknown ones. */
export interface KnownSum {
  /** 0 for no resources; null when there are resources and all values are unknown. */
  bytes: number | null;
  unknown: number;
}

/** Values of the summary bar for the resources in view. */
export interface LoadSummary {
  requests: number;
  /** Bytes that crossed the network. */
  transferred: KnownSum;
  /** Bytes after content decoding. */
  decoded: KnownSum;
  fromCache: number;
  /** Resources whose source is unknown. */
  unknownSource: number;
  /**
   * By witness: requests of the page and its workers that another witness reported and this one did not. 0 when it
   * reported none: it did not watch.
   */
  unseenBy: Record<EvidenceDepth, number>;
  /** End of the last finished resource, ms since the load began; null when none has finished. */
  finishMs: number | null;
}

/** Adds up a load, or the part of it that matches a filter. Unknown values are not counted as 0. */
export function summarizeLoad(rows: readonly AttributedResource[]): LoadSummary {
  // A sum is unknown until the first known value; the sum of no rows is 0.
  const none = { bytes: rows.length === 0 ? 0 : null, unknown: 0 };
  const transferred: KnownSum = { ...none };
  const decoded: KnownSum = { ...none };
  let fromCache = 0;
  let unknownSource = 0;
  const seen = { page: 0, webRequest: 0, devtools: 0, debugger: 0 };
  const unseenBy = { ...seen };
  let finishMs: number | null = null;
  // One pass: this runs for every letter typed into the filter, over a hundred thousand rows.
  for (const { resource, attribution } of rows) {
    add(transferred, resource.transferredBytes);
    add(decoded, resource.decodedBytes);
    if (isFromCache(attribution)) fromCache++;
    if (attribution.source === 'unknown') unknownSource++;
    for (const depth of evidenceDepths) {
      if (resource.evidence[depth]) seen[depth]++;
      else if (isUnseen({ resource, attribution }, depth)) unseenBy[depth]++;
    }
    const { startMs, durationMs } = resource;
    if (durationMs !== null) finishMs = Math.max(finishMs ?? -Infinity, startMs + durationMs);
  }
  for (const depth of evidenceDepths) if (seen[depth] === 0) unseenBy[depth] = 0;
  return {
    requests: rows.length,
    transferred,
    decoded,
    fromCache,
    unknownSource,
    unseenBy,
    finishMs,
  };
}

/**
 * Request witnesses cannot see what the page uses without a request; a page cannot see its service worker's requests.
 */
function isUnseen({ resource, attribution }: AttributedResource, depth: EvidenceDepth): boolean {
  const { evidence, context } = resource;
  if (context === 'service-worker' || unasked.has(attribution.source)) return false;
  const others = evidenceDepths.filter((each) => each !== depth && each !== 'page');
  return others.some((each) => evidence[each]);
}

/** Sources that make no request to the browser. */
const unasked: ReadonlySet<string> = new Set([
  'data',
  'blob',
  'memory',
  'preload',
  'same-document',
  'bfcache',
]);

/** How many resources came from each source, most frequent first. */
export function countSources(
  rows: readonly AttributedResource[],
): { source: string; count: number }[] {
  const sources = Map.groupBy(rows, ({ attribution }) => attribution.source);
  return [...sources]
    .map(([source, own]) => ({ source, count: own.length }))
    .toSorted((one, other) => other.count - one.count || one.source.localeCompare(other.source));
}

function add(sum: KnownSum, bytes: number | null): void {
  if (bytes === null) sum.unknown++;
  else sum.bytes = (sum.bytes ?? 0) + bytes;
}
