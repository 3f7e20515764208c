import type { Axis, Chart, ChartLine, ChartPoint, LookName } from '../page/chart.ts';
import { looks } from '../page/chart.ts';
import { byteSize, count, digits, milliseconds } from '../quantity.ts';
import { type MicroCache, microCacheLabels, microCaches } from './cache.ts';
import type { Crossover } from './crossover.ts';
import { conditionLabel, isIndexLoaded, loadLabel, searchLabel } from './label.ts';
import type { MicroStatistics } from './statistics.ts';
import { figuresOf, type MicroSummary } from './summary.ts';

/** The look of each cache in every chart. */
export const cacheLooks: Readonly<Record<MicroCache, LookName>> = {
  none: 'neutral',
  memory: 'blue',
  disk: 'orange',
  blink: 'purple',
  'cache-storage': 'green',
  'service-worker': 'cyan',
};

/** The charts of the micro-benchmarks; a part that was not measured has none. */
export function microCharts(summary: MicroSummary, margin: number): Chart[] {
  return [
    ...hitChart(summary),
    ...listChart(summary),
    ...searchCharts(summary),
    ...crossoverChart(summary.crossovers, margin),
  ];
}

function pointsOf(
  figures: readonly MicroStatistics[],
  xOf: (figure: MicroStatistics) => number,
): ChartPoint[] {
  return figures.flatMap((figure) => {
    const { medianMs, lowMs, highMs } = figure;
    return medianMs === null ? [] : [{ x: xOf(figure), y: medianMs, low: lowMs, high: highMs }];
  });
}

const bytesOf = ({ cell }: MicroStatistics): number => cell.bytes;

/** One line for each label, in order of first appearance. */
function linesOf(
  figures: readonly MicroStatistics[],
  labelOf: (cell: MicroStatistics['cell']) => string,
  xOf: (figure: MicroStatistics) => number,
): ChartLine[] {
  const groups = [...Map.groupBy(figures, ({ cell }) => labelOf(cell))];
  return groups.map(([label, own], place) => {
    return { label, look: lookAt(place), points: pointsOf(own, xOf) };
  });
}

function lookAt(place: number): LookName {
  return looks[place % looks.length] ?? 'neutral';
}

function logarithmic(title: string, text: Axis['text']): Axis {
  return { title, text, isLogarithmic: true };
}

const sizeAxis = logarithmic('Size of the resource', byteSize);

/** The texts of a chart: captions for lines over several levels, and for bars at a single level. */
interface Texts extends Pick<Chart, 'id' | 'title'> {
  /** What was measured. */
  about: string;
  /** How to read lines. */
  ofLines: string;
  ofBars: string;
}

/** At a single level the marks of all lines would be at the same place: bars. */
function chartOf(
  { id, title, about, ofLines, ofBars }: Texts,
  lines: readonly ChartLine[],
  [x, y]: readonly [x: Axis, y: Axis],
): Chart[] {
  const [level, ...others] = new Set(lines.flatMap(({ points }) => points.map((point) => point.x)));
  if (level === undefined) return [];
  if (others.length > 0)
    return [{ kind: 'lines', id, title, caption: `${about} ${ofLines}`, x, y, lines }];
  const bars = lines.flatMap(({ label, look, points }) =>
    points.map(({ y, low = null, high = null }) => ({ label, look, value: y, low, high })),
  );
  const axis = { ...y, title: `${y.title} (${x.title.toLowerCase()}: ${x.text(level)})` };
  return [{ kind: 'bars', id, title, caption: `${about} ${ofBars}`, axis, bars }];
}

const marks = 'Marks are medians, bars 95 % intervals; both axes are logarithmic.';
const bars = 'Bars are medians, whiskers 95 % intervals.';

/** Hits by size, one line for each cache, and requests that bypass all caches. */
function hitChart(summary: MicroSummary): Chart[] {
  const table = figuresOf(summary, 'table');
  const lines = microCaches.map((cache): ChartLine => {
    const row = cache === 'none' ? 'miss-uncacheable' : 'hit';
    const own = table.filter(({ cell }) => cell.cache === cache && cell.row === row);
    const label = cache === 'none' ? 'From the server' : microCacheLabels[cache];
    return { label, look: cacheLooks[cache], points: pointsOf(own, bytesOf) };
  });
  const texts = {
    id: 'micro-hits',
    title: 'Hits by size (ms)',
    about: 'One read of a resource that is in the cache. Lower is faster.',
    ofLines: marks,
    ofBars: bars,
  };
  const axes = [sizeAxis, logarithmic('Time of one hit, ms', milliseconds)] as const;
  return chartOf(
    texts,
    lines.filter(({ points }) => points.length > 0),
    axes,
  );
}

/** Loads of the list from the disk cache, one line for each state. */
function listChart(summary: MicroSummary): Chart[] {
  const own = figuresOf(summary, 'list').filter(({ cell }) => cell.cache === 'disk');
  const texts = {
    id: 'micro-list',
    title: 'Lists from the disk cache, by size (ms)',
    about:
      'One resource of a list, loaded a second time: in the same browser, in a relaunched one, and in a relaunched one with the page cache dropped.',
    ofLines: `Where the lines coincide, the state makes no difference. ${marks}`,
    ofBars: `Where bars are equal, the state makes no difference. ${bars}`,
  };
  const axes = [sizeAxis, logarithmic('Time of one resource, ms', milliseconds)] as const;
  return chartOf(texts, linesOf(own, loadLabel, bytesOf), axes);
}

/** Searches by number of entries: one chart for absent keys, one for present keys. */
function searchCharts(summary: MicroSummary): Chart[] {
  const search = figuresOf(summary, 'search').filter(({ cell }) => isIndexLoaded(cell));
  const levels = [...new Set(search.map(({ cell }) => cell.entries ?? 0))].filter(
    (level) => level > 0,
  );
  // A logarithmic axis has no 0: the empty cache is drawn a decade below the smallest level.
  const zeroAt = Math.min(...levels, 100) / 10;
  const axes = [
    logarithmic('Entries in the cache', (x) => (x === zeroAt ? '0' : count(x))),
    logarithmic('Time of one search, ms', milliseconds),
  ] as const;
  return (['absent', 'present'] as const).flatMap((row) => {
    const own = search.filter(({ cell }) => cell.row === row);
    const lines = linesOf(own, searchLabel, ({ cell }) => cell.entries || zeroAt);
    const isFromServer = lines.some(({ label }) => label === 'Blink, disk, server');
    const texts = {
      id: `micro-search-${row}`,
      title: `Search for ${row === 'absent' ? 'an absent' : 'a present'} key, by entries (ms)`,
      about: isFromServer
        ? 'A script that is in neither Blink’s memory nor the disk cache comes from the server, so that time includes a request.'
        : 'One search.',
      ofLines: `A level line: the number of entries makes no difference. ${marks}`,
      ofBars: `Shorter is faster. ${bars}`,
    };
    return chartOf(texts, lines, axes);
  });
}

/** Ratio of disk time to memory time by size, one line for each condition. */
function crossoverChart(crossovers: readonly Crossover[], margin: number): Chart[] {
  const lines = crossovers.map((crossover, place): ChartLine => ({
    label: conditionLabel(crossover),
    look: lookAt(place),
    points: crossover.sizes.flatMap(({ bytes, relative, relativeInterval: interval }) => {
      if (relative === null) return [];
      const ends = interval && { low: 1 + interval.low, high: 1 + interval.high };
      return [{ x: bytes, y: 1 + relative, ...ends }];
    }),
  }));
  const texts = {
    id: 'micro-crossover',
    title: 'Disk against memory, by size (ratio of medians)',
    about: `Above the dashed line (${digits(1 + margin)} times) the disk is clearly slower.`,
    ofLines: 'Marks are ratios, bars their intervals; both axes are logarithmic.',
    ofBars: 'Bars are ratios, whiskers their intervals.',
  };
  const ratio = logarithmic('Disk hit / memory hit', (y) => `${digits(y)} times`);
  return chartOf(texts, lines, [sizeAxis, { ...ratio, mark: 1 + margin }]);
}
