import { microCacheLabels } from '@cachescope/model/micro/cache.ts';
import type { Crossover } from '@cachescope/model/micro/crossover.ts';
import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import {
  capital,
  conditionLabel,
  loadLabel,
  rowLabel,
  searchLabel,
  searchTimeLabel,
} from '@cachescope/model/micro/label.ts';
import { microPivot, microPivots, type PivotPart } from '@cachescope/model/micro/pivot.ts';
import { publishedValue } from '@cachescope/model/micro/history.ts';
import { byteSize, digits, percent, unknownText } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { intervalCell } from '../../charts/interval-text.ts';
import { type Cell, firstColumns, plainTable } from '../../charts/plain-table.ts';

function median(figure: MicroStatistics): Cell {
  const { medianMs, lowMs, highMs, belowResolution, resolutionMs } = figure;
  const value = belowResolution ? `below ${digits(2 * resolutionMs)}` : digits(medianMs);
  return intervalCell(value, { low: lowMs, high: highMs });
}

/** The medians of one part: by cache and row, over sizes or entries. */
export function pivotTable(
  label: string,
  part: PivotPart,
  all: readonly MicroStatistics[],
): TemplateResult {
  const { head, levels, rows } = microPivot(part, all);
  const lines = rows.map(({ names, figures }): Cell[] => [
    ...names,
    ...figures.map((figure) => (figure ? median(figure) : unknownText)),
  ]);
  return plainTable(
    {
      label,
      titles: [...head.map(capital), ...levels],
      caption: `${microPivots[part].caption} Medians, ms, with 95 % intervals below them. A dash: unknown, or independent of the size.`,
      words: firstColumns(head.length),
      isNarrow: true,
      sharesNames: true,
    },
    lines,
  );
}

/** The first `words` columns are text. */
function table(
  label: string,
  caption: string,
  titles: readonly string[],
  words: number,
  rows: readonly (readonly Cell[])[],
): TemplateResult {
  return plainTable({ label, titles, caption, words: firstColumns(words), isNarrow: true }, rows);
}

function valuesOf(figure: MicroStatistics): Cell[] {
  return [
    digits(figure.runs === 0 ? null : figure.totalMs),
    digits(figure.runs),
    digits(figure.averageMs),
    median(figure),
    digits(figure.p95Ms),
  ];
}

const publishedHead = ['Published: total, ms', 'Iterations', 'Average, ms'];
const valueHead = ['Total, ms', 'Iterations', 'Average, ms', 'Median, ms', '95th percentile, ms'];

/** The values in the form of Mozilla's published table, with its averages beside them. */
export function documentTable(label: string, figures: readonly MicroStatistics[]): TemplateResult {
  const isList = figures[0]?.cell.part === 'list';
  const rows = figures.map((figure) => {
    const { cell } = figure;
    const old = publishedValue(cell);
    return [
      byteSize(cell.bytes),
      microCacheLabels[cell.cache],
      isList ? loadLabel(cell) : rowLabel(cell),
      ...valuesOf(figure),
      ...(old
        ? [digits(old.totalMs), digits(old.runs), old.averageMs.toFixed(2)]
        : publishedHead.map(() => unknownText)),
    ];
  });
  return table(
    label,
    'Medians with 95 % intervals below them. A dash: unknown. The last columns are values that Mozilla published for another browser on another machine.',
    ['Size', 'Cache', isList ? 'Load' : 'Row', ...valueHead, ...publishedHead],
    3,
    rows,
  );
}

/** All searches. */
export function searchTable(figures: readonly MicroStatistics[]): TemplateResult {
  const rows = figures.map((figure) => [
    searchLabel(figure.cell),
    figure.cell.row,
    searchTimeLabel(figure.cell),
    (figure.cell.entries ?? 0).toLocaleString('en-US'),
    ...valuesOf(figure),
  ]);
  return table(
    'Searches',
    'The first search of a launch starts with the page cache dropped, perhaps before the index of the cache is read.',
    ['Cache', 'Key', 'Search', 'Entries', ...valueHead],
    3,
    rows,
  );
}

/** All compared sizes. */
export function crossoverTable(crossovers: readonly Crossover[]): TemplateResult {
  const rows = crossovers.flatMap((crossover) =>
    crossover.sizes.map(({ bytes, diskMs, memoryMs, outcome, ...size }) => {
      const { relative, relativeInterval: interval } = size;
      const slower = digits(relative === null ? null : 100 * relative);
      const ends = interval && { low: 100 * interval.low, high: 100 * interval.high };
      const times = [digits(diskMs), digits(memoryMs)];
      const place = [conditionLabel(crossover), byteSize(bytes)];
      const confidence = percent(size.confidence);
      return [...place, ...times, intervalCell(slower, ends), confidence, outcome];
    }),
  );
  return table(
    'Disk against memory',
    'Medians of hits of the same launches; how much longer the disk takes, with its interval. A size that is measured again has a wider interval, of a higher confidence.',
    ['Where', 'Size', 'Disk, ms', 'Memory, ms', 'Disk slower by, %', 'Confidence', 'Outcome'],
    1,
    rows,
  );
}
