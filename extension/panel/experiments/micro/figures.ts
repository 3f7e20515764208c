import { greatest } from '@cachescope/model/extremes.ts';
import { type MicroCache, microCacheLabels, microCaches } from '@cachescope/model/micro/cache.ts';
import type { Crossover } from '@cachescope/model/micro/crossover.ts';
import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import { crossoverSentence, medianWords } from '@cachescope/model/micro/finding.ts';
import {
  conditionLabel,
  isIndexLoaded,
  loadLabel,
  searchLabel,
} from '@cachescope/model/micro/label.ts';
import { figuresOf, type MicroSummary } from '@cachescope/model/micro/summary.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { Chart } from 'chart.js';
import type { Figure } from '../../charts/figure.ts';
import { intervalBars, intervalBarsPx } from '../../charts/interval-bars.ts';
import { type LinePoint, type LogAxes, logChart, type LogLine } from '../../charts/log-chart.ts';
import { type Look, lookAt, palette } from '../../charts/palette.ts';

const heightPx = 340;
const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** The look of each cache in every chart. */
const cacheStyles: Readonly<Record<MicroCache, Look>> = {
  none: palette.neutral,
  memory: palette.blue,
  disk: palette.orange,
  blink: palette.purple,
  'cache-storage': palette.green,
  'service-worker': palette.cyan,
};

/** An x axis of sizes. */
const sizeAxis = { x: 'Size of the resource', xText: byteSize };

/** The figures of the micro-benchmarks; a part that was not measured has none. */
export function microFigures(summary: MicroSummary, margin: number): Figure[] {
  return [
    ...hitFigure(summary),
    ...listFigure(summary),
    ...searchFigures(summary),
    ...crossoverFigure(summary.crossovers, margin),
  ];
}

function pointsOf(
  figures: readonly MicroStatistics[],
  xOf: (figure: MicroStatistics) => number,
): LinePoint[] {
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
): LogLine[] {
  const groups = [...Map.groupBy(figures, ({ cell }) => labelOf(cell))];
  return groups.map(([label, own], place) => {
    return { label, style: lookAt(place), points: pointsOf(own, xOf) };
  });
}

function timeAxes(y: string): LogAxes {
  return { ...sizeAxis, y, yText: milliseconds };
}

/** The texts of a figure: the caption for lines over several levels, and that for bars at a single level. */
interface About extends Pick<Figure, 'id' | 'title'> {
  caption: string;
  barCaption: string;
}

function chartOf(
  { barCaption, ...about }: About,
  lines: readonly LogLine[],
  axes: LogAxes,
): Figure[] {
  const places = new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const [place] = places;
  if (place === undefined) return [];
  if (places.size > 1)
    return [{ ...about, heightPx, draw: (canvas) => new Chart(canvas, logChart(lines, axes)) }];
  // At a single level the marks of all lines would be at the same x position.
  const bars = lines.flatMap(({ label, style, points }) =>
    points.map(({ y, low, high }) => ({ label, token: style.token, value: y, low, high })),
  );
  const axis = `${axes.y} (${axes.x.toLowerCase()}: ${axes.xText(place)})`;
  return [
    {
      ...about,
      caption: barCaption,
      heightPx: intervalBarsPx(bars.length),
      draw: (canvas) => new Chart(canvas, intervalBars(bars, axis, axes.yText)),
    },
  ];
}

/** Hits by size, one line for each cache, and requests that bypass all caches. */
function hitFigure(summary: MicroSummary): Figure[] {
  const table = figuresOf(summary, 'table');
  const lines = microCaches.map((cache): LogLine => {
    const row = cache === 'none' ? 'miss-uncacheable' : 'hit';
    const own = table.filter(({ cell }) => cell.cache === cache && cell.row === row);
    const label = cache === 'none' ? 'From the server' : microCacheLabels[cache];
    return { label, style: cacheStyles[cache], points: pointsOf(own, bytesOf) };
  });
  const quickest = hitCaption(table, summary.trust);
  const about = {
    id: 'micro-hits',
    title: 'Hits by size (ms)',
    caption: `${quickest} Marks are medians, bars 95 % intervals; both axes are logarithmic.`,
    barCaption: `${quickest} Bars are medians, whiskers 95 % intervals.`,
  };
  return chartOf(
    about,
    lines.filter(({ points }) => points.length > 0),
    timeAxes('Time of one hit, ms'),
  );
}

function hitCaption(table: readonly MicroStatistics[], { inconclusive }: Trust): string {
  if (inconclusive !== null) return `Inconclusive: ${inconclusive}.`;
  const hits = table.filter(({ cell, medianMs }) => cell.row === 'hit' && medianMs !== null);
  const largest = greatest(hits.map(bytesOf));
  const rising = hits
    .filter(({ cell }) => cell.bytes === largest)
    .toSorted((one, other) => (one.medianMs ?? 0) - (other.medianMs ?? 0));
  const slowest = rising.pop();
  if (rising.length === 0 || !slowest || slowest.belowResolution) return 'Lower is faster.';
  // Which of those below the resolution is the fastest is unknown.
  const quickest = rising.filter((figure, place) => place === 0 || figure.belowResolution);
  const name = (figure: MicroStatistics) =>
    `${microCacheLabels[figure.cell.cache]} (${medianWords(figure)})`;
  return `At ${byteSize(largest)} the fastest hit comes from ${either.format(quickest.map(name))}, the slowest from ${name(slowest)}.`;
}

/** Loads of the list from the disk cache, one line for each state. */
function listFigure(summary: MicroSummary): Figure[] {
  const own = figuresOf(summary, 'list').filter(({ cell }) => cell.cache === 'disk');
  const lines = linesOf(own, loadLabel, bytesOf);
  const what =
    'One resource of a list, loaded a second time: in the same browser, in a relaunched one, and in a relaunched one with the page cache dropped.';
  const about = {
    id: 'micro-list',
    title: 'Lists from the disk cache, by size (ms)',
    caption: `${what} Where the lines coincide, the state makes no difference.`,
    barCaption: `${what} Where bars are equal, the state makes no difference.`,
  };
  return chartOf(about, lines, timeAxes('Time of one resource, ms'));
}

/** Searches by number of entries: one figure for absent keys, one for present keys. */
function searchFigures(summary: MicroSummary): Figure[] {
  const search = figuresOf(summary, 'search').filter(({ cell }) => isIndexLoaded(cell));
  const levels = [...new Set(search.map(({ cell }) => cell.entries ?? 0))].filter(
    (level) => level > 0,
  );
  // A logarithmic axis has no 0: the empty cache is drawn a decade below the smallest level.
  const zeroAt = Math.min(...levels, 100) / 10;
  const axes: LogAxes = {
    x: 'Entries in the cache',
    y: 'Time of one search, ms',
    xText: (x) => (x === zeroAt ? '0' : x.toLocaleString('en-US')),
    yText: milliseconds,
  };
  return (['absent', 'present'] as const).flatMap((row) => {
    const own = search.filter(({ cell }) => cell.row === row);
    const lines = linesOf(own, searchLabel, ({ cell }) => cell.entries || zeroAt);
    const title = `Search for ${row === 'absent' ? 'an absent' : 'a present'} key, by entries (ms)`;
    const network = lines.some(({ label }) => label === 'Blink, disk, server')
      ? ' A script that is in neither comes from the server, so that time includes a request.'
      : '';
    const caption = `A level line: the number of entries makes no difference.${network}`;
    const barCaption = `Shorter is faster.${network}`;
    return chartOf({ id: `micro-search-${row}`, title, caption, barCaption }, lines, axes);
  });
}

/** Ratio of disk time to memory time by size, one line for each condition. */
function crossoverFigure(crossovers: readonly Crossover[], margin: number): Figure[] {
  const lines = crossovers.map((crossover, place): LogLine => ({
    label: conditionLabel(crossover),
    style: lookAt(place),
    points: crossover.sizes.flatMap(({ bytes, relative, relativeInterval: interval }) => {
      if (relative === null) return [];
      const ends = { low: interval && 1 + interval.low, high: interval && 1 + interval.high };
      return [{ x: bytes, y: 1 + relative, ...ends }];
    }),
  }));
  const axes: LogAxes = {
    ...sizeAxis,
    y: 'Disk hit / memory hit',
    yText: (y) => `${digits(y)} times`,
    markY: 1 + margin,
  };
  const answers = crossovers.map((crossover) => crossoverSentence(crossover, margin));
  const answer = answers.join(' ');
  const about = {
    id: 'micro-crossover',
    title: 'Disk against memory, by size (ratio of medians)',
    caption: `${answer} Above the dashed line (${digits(1 + margin)} times) the disk is clearly slower.`,
    barCaption: `${answer} Above ${digits(1 + margin)} times the disk is clearly slower.`,
  };
  return chartOf(about, lines, axes);
}
