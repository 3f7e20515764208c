import { attributeLoad, isFromCache } from '../attribution/attributed-resource.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { delaysOfLoad } from './moment.ts';
import type { ExploreRun } from './run.ts';
import { countSources } from '../load/summary.ts';
import type { Load } from '../load/load.ts';
import { counted } from '../quantity.ts';

/** The result of an exploration: counts only. Its loads did not follow a plan, so there are no statistics. */
export interface ExploreSummary {
  trust: Trust;
  loads: LoadLine[];
  /** Resources of all loads by source, most frequent first; `unknown` is one of them. */
  sources: ReturnType<typeof countSources>;
  /** In sentences. Never empty. */
  finding: string[];
}

/** Summary of one load. */
export interface LoadLine extends Pick<
  Load,
  'id' | 'url' | 'startedAt' | 'navigationType' | 'loadMs'
> {
  /** Requested delays that were in force during the load, ms; empty without a slow device, and where unknown. */
  delaysMs: number[];
  resources: number;
  /** Resources that a cache answered without a prior request to the origin. */
  fromCache: number;
  unknown: number;
}

/** Counts the loads and sources of an exploration. Pure: it can be repeated at any time. */
export function summarizeExplore(run: ExploreRun, loads: readonly Load[]): ExploreSummary {
  const attributed = loads.map((load) => ({ load, rows: attributeLoad(load) }));
  const sources = countSources(attributed.flatMap(({ rows }) => rows));
  // Sources are what the witnesses say, at any load.
  const trust = trustOf(run, { taken: 0, flagged: 0, cells: [] });
  return {
    trust,
    loads: attributed.map(({ load, rows }) => ({
      id: load.id,
      url: load.url,
      startedAt: load.startedAt,
      delaysMs: delaysOfLoad(run, load),
      navigationType: load.navigationType,
      resources: rows.length,
      fromCache: rows.filter(({ attribution }) => isFromCache(attribution)).length,
      unknown: rows.filter(({ attribution }) => attribution.source === 'unknown').length,
      loadMs: load.loadMs,
    })),
    sources,
    finding: [...trustedFinding(trust, []), ...finding(loads.length, sources)],
  };
}

function finding(loads: number, sources: ExploreSummary['sources']): string[] {
  if (loads === 0) return ['No load was recorded.'];
  const resources = sources.reduce((sum, { count }) => sum + count, 0);
  const named = sources.filter(({ source }) => source !== 'unknown');
  const unknown = resources - named.reduce((sum, { count }) => sum + count, 0);
  const words = [
    ...named.map(({ source, count }) => `${count} ${source}`),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ].join(', ');
  return [
    `${counted(loads, 'load')} with ${counted(resources, 'resource')} ${loads === 1 ? 'was' : 'were'} recorded${words === '' ? '' : `: ${words}`}.`,
    unknown === 0
      ? 'The source of every resource is known.'
      : `The source of ${counted(unknown, 'resource')} is unknown; the report names the witness that would show each.`,
  ];
}
