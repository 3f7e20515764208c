import { microCacheLabels } from './cache.ts';
import type { MicroPlan } from './run.ts';
import type { MicroStatistics } from './statistics.ts';
import { loadLabel, rowLabel, searchLabel, searchTimeLabel } from './label.ts';
import type { MicroCell, MicroPart } from './slice.ts';
import { byteSize } from '../quantity.ts';

/** The parts that a pivot table shows. */
export type PivotPart = Exclude<MicroPart, 'crossover'>;
export const pivotParts = ['table', 'list', 'search'] as const satisfies readonly PivotPart[];

/** Statistics as a table: a row per measurement, a column per level of its factor (size or number of entries). */
export interface MicroPivot {
  /** Headings of the label columns. */
  head: string[];
  /** Headings of the value columns. */
  levels: string[];
  rows: { names: string[]; figures: (MicroStatistics | undefined)[] }[];
}

interface Shape {
  /** What the table shows, without a full stop. */
  title: (plan: Pick<MicroPlan, 'listLength'>) => string;
  /** What its rows and columns are. */
  caption: string;
  head: string[];
  namesOf: (cell: MicroCell) => string[];
  levelOf: (cell: MicroCell) => number;
  levelText: (level: number) => string;
}

/** The pivot table of each part. */
export const microPivots: Readonly<Record<PivotPart, Shape>> = {
  table: {
    title: () => 'One resource again and again',
    caption: 'One iteration by size of the resource.',
    head: ['cache', 'row'],
    namesOf: (cell) => [microCacheLabels[cell.cache], rowLabel(cell)],
    levelOf: ({ bytes }) => bytes,
    levelText: byteSize,
  },
  list: {
    title: ({ listLength }) => `${listLength} resources, loaded and loaded again`,
    caption:
      'One resource by its size; first: from the server; again: in the same browser; cold: relaunched, with the page cache dropped.',
    head: ['cache', 'load'],
    namesOf: (cell) => [microCacheLabels[cell.cache], loadLabel(cell)],
    levelOf: ({ bytes }) => bytes,
    levelText: byteSize,
  },
  search: {
    title: () => 'Search in a full cache',
    caption:
      'One search by entries in the cache; first: the first of a launch, with the page cache dropped, perhaps before the index is read; no index: the same, without the index file.',
    head: ['cache', 'key', 'search'],
    namesOf: (cell) => [searchLabel(cell), rowLabel(cell), searchTimeLabel(cell)],
    levelOf: ({ entries = 0 }) => entries,
    levelText: (entries) => entries.toLocaleString('en-US'),
  },
};

/** The statistics of one part as a table. `figures` are in display order; rows of one cache stay together. */
export function microPivot(part: PivotPart, figures: readonly MicroStatistics[]): MicroPivot {
  const { head, namesOf, levelOf, levelText } = microPivots[part];
  const own = figures.filter(({ cell }) => cell.part === part);
  const levels = [...new Set(own.map(({ cell }) => levelOf(cell)))].toSorted((a, b) => a - b);
  const byCache = [...Map.groupBy(own, ({ cell }) => namesOf(cell)[0]).values()].flat();
  const rows = [...Map.groupBy(byCache, ({ cell }) => namesOf(cell).join('\n')).values()];
  return {
    head,
    levels: levels.map(levelText),
    rows: rows.flatMap((row) => {
      const [first] = row;
      if (!first) return [];
      const at = (level: number) => row.find(({ cell }) => levelOf(cell) === level);
      return [{ names: namesOf(first.cell), figures: levels.map(at) }];
    }),
  };
}
