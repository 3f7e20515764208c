import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import type { CacheSource } from '@cachescope/model/attribution/cache-source.ts';
import type { Load } from '@cachescope/model/load/load.ts';

/** One use of a resource in a watched load. Unknown numbers are null, never 0. */
export interface WatchedRow {
  url: string;
  /** URL after redirects; absent: there were none, or they are unknown. */
  finalUrl?: string | undefined;
  source: CacheSource;
  /** A more specific source, such as `http-cache`; absent: there is none, or it is unknown. */
  detail?: string | undefined;
  confidence: 'certain' | 'likely' | 'unknown';
  /** The statement of each witness, in words. */
  reasons: readonly string[];
  /** All sources that the evidence leaves possible, when there is more than one. */
  candidates?: readonly string[] | undefined;
  type: string;
  method: string | null;
  status: number | null;
  /** Bytes that crossed the network, headers included; 0 for a cache hit. */
  transferredBytes: number | null;
  decodedBytes: number | null;
  /** Since the load began, ms. */
  startMs: number;
  durationMs: number | null;
  /** Where the request came from. */
  context: 'document' | 'frame' | 'worker' | 'service-worker' | 'unknown';
}

/** One load of a watched page, from navigation to the next. */
export interface WatchedLoad {
  url: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** `navigate`, `reload`, `back_forward`, `prerender`, `back-forward-cache` or `unknown`. */
  navigationType: string;
  /** End of the load event since the load began, ms; null: not reached. */
  loadMs: number | null;
  rows: WatchedRow[];
  /** What the reader must know. */
  warnings: string[];
}

/** What a program sees of a load. */
export function shownLoad(load: Load): WatchedLoad {
  const { url, startedAt, navigationType, loadMs, warnings } = load;
  const rows = attributeLoad(load).map(({ resource, attribution }): WatchedRow => {
    const { finalUrl, type, method, status, transferredBytes, decodedBytes } = resource;
    const { startMs, durationMs, context } = resource;
    const { detail, confidence, reasons, candidates } = attribution;
    return {
      url: resource.url,
      ...(finalUrl !== undefined && { finalUrl }),
      source: attribution.source as CacheSource,
      ...(detail !== undefined && { detail }),
      confidence,
      reasons,
      ...(candidates && { candidates }),
      type,
      method,
      status,
      transferredBytes,
      decodedBytes,
      startMs,
      durationMs,
      context,
    };
  });
  return { url, startedAt, navigationType, loadMs, rows, warnings };
}
