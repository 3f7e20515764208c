import { greatest, knownSum } from '../extremes.ts';
import { type PageLoad, usableLoads } from './load.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';

/** Statistics of the loads of one cell. Medians over the unflagged loads; null is unknown. */
export type PageStatistics = NonNullable<ReturnType<typeof pageStatistics>>;

/** Load times of a cell's unflagged loads, each with its launch. */
export function loadTimesOf(loads: readonly PageLoad[]): Reading[] {
  return usableLoads(loads).flatMap(({ loadMs, launch }) =>
    loadMs === null ? [] : [{ value: loadMs, launch }],
  );
}

/** The statistics of one cell's loads; null without loads. */
export function pageStatistics(loads: readonly PageLoad[]) {
  const [first] = loads;
  if (!first) return null;
  const sound = usableLoads(loads);
  const estimate = medianInterval(loadTimesOf(loads));
  const shown = nearest(sound, estimate.median);
  const middle = (of: (load: PageLoad) => number | null): number | null =>
    median(sound.map(of).filter((value) => value !== null));
  return {
    cell: first.cell,
    loads: loads.length,
    /** Loads excluded because witnesses disagreed. */
    flagged: loads.length - sound.length,
    loadMs: estimate.median,
    /** 95 % interval of the median load time. */
    lowMs: estimate.interval?.low ?? null,
    highMs: estimate.interval?.high ?? null,
    domContentLoadedMs: middle((load) => load.domContentLoadedMs),
    finishMs: middle((load) => load.finishMs),
    /** Number of resources with a request to the origin. */
    asked: middle(({ rows }) => rows.filter(({ requests }) => requests > 0).length),
    /** Body bytes that the origin sent. */
    sentBytes: middle(({ rows }) => knownSum(rows.map(({ sentBytes }) => sentBytes))),
    // When the device is shared, its counters do not describe this load.
    deviceReads: middle(({ device }) => (device && !device.shared ? device.reads : null)),
    deviceReadBytes: middle(({ device }) => (device && !device.shared ? device.readBytes : null)),
    /** Resources by source in the cell's representative load, most frequent first. */
    sources: shown === null ? [] : countSources(shown),
    /** `sequence` of that load: the unflagged one whose load time is nearest to the median. null: none. */
    shown: shown?.sequence ?? null,
  };
}

function nearest(loads: readonly PageLoad[], middleMs: number | null): PageLoad | null {
  if (middleMs === null) return null;
  const distance = ({ loadMs }: PageLoad) => Math.abs((loadMs ?? Infinity) - middleMs);
  return loads.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** Resources of a load by source, most frequent first. */
export function countSources({ rows }: Pick<PageLoad, 'rows'>) {
  const groups = Map.groupBy(rows, ({ source }) => source ?? 'unknown');
  return [...groups]
    .map(([source, own]) => ({ source, count: own.length }))
    .toSorted((one, other) => other.count - one.count);
}

/** The load of a cell that stands for all of them: the one nearest to the median. */
export interface RepresentativeLoad {
  figure: PageStatistics;
  load: PageLoad;
}

/** The representative load of each kind at the longest delay. */
export function representativeLoads(
  loads: readonly PageLoad[],
  figures: readonly PageStatistics[],
): RepresentativeLoad[] {
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  const longestMs = greatest(known.map(({ cell }) => cell.delayMs));
  return known.flatMap((figure) => {
    const load = loads.find(({ sequence }) => sequence === figure.shown);
    return load && figure.cell.delayMs === longestMs ? [{ figure, load }] : [];
  });
}
