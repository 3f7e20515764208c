import { greatest } from '@cachescope/model/extremes.ts';
import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import { lastMoment, pageCellName, type PageLoad } from '@cachescope/model/pageload/load.ts';
import type { PageloadRunDocument } from '@cachescope/model/pageload/run.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import { counted, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import type { Figure } from '../../charts/figure.ts';
import { loadTimeBars, loadTimeLines } from './charts.ts';
import { waterfallChart, waterfallPx } from './waterfall.ts';
import { type ShownLoad, sourcesText } from './tables.ts';

/** The representative load of each kind at the longest delay. */
export function shownLoads(
  { pageloads }: PageloadRunDocument,
  { figures }: PageloadSummary,
): ShownLoad[] {
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  const longestMs = greatest(known.map(({ cell }) => cell.delayMs));
  return known.flatMap((figure) => {
    const load = pageloads.find(({ sequence }) => sequence === figure.shown);
    return load && figure.cell.delayMs === longestMs ? [{ figure, load }] : [];
  });
}

/** The figures of page loads: load times, then a waterfall of each kind of load at the longest delay. */
export function pageloadFigures(
  { run: { page } }: PageloadRunDocument,
  { figures }: PageloadSummary,
  shown: readonly ShownLoad[],
): Figure[] {
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  if (known.length === 0) return [];
  // All waterfalls have the same scale, so that they can be compared.
  const toMs = niceEnd(greatest(shown.map(({ load }) => lastMoment(load))));
  return [
    timeFigure(known),
    ...shown.map(({ figure, load }): Figure => {
      const { arm, state, storage, delayMs } = figure.cell;
      const delay = storage === 'none' ? '' : `, ${digits(delayMs)} ms`;
      return {
        id: `waterfall-${arm}-${state}`,
        title: `${pageCellName(figure.cell)}${delay}: waterfall by source (ms)`,
        caption: waterfallCaption(figure, load),
        heightPx: waterfallPx(page),
        draw: (canvas) => new Chart(canvas, waterfallChart(page, load, toMs)),
      };
    }),
  ];
}

/**
 * Rounds up to a multiple of the value's power of ten, or of a fifth of it for values up to twice that power: an axis
 * that ends there has even ticks.
 */
function niceEnd(ms: number): number {
  const decade = 10 ** Math.floor(Math.log10(ms));
  const step = ms > 2 * decade ? decade : decade / 5;
  return Math.ceil(ms / step) * step;
}

function timeFigure(figures: readonly PageStatistics[]): Figure {
  const count = (factor: 'delayMs' | 'state' | 'arm') =>
    new Set(figures.map(({ cell }) => cell[factor])).size;
  const isLines = count('delayMs') > 1;
  return {
    // The sweep's main chart has the same id: both take the full width.
    id: 'read-time',
    title: isLines ? 'Load time against read delay (ms)' : 'Load time by kind of load (ms)',
    caption: `${timeCaption(figures)} ${isLines ? 'Marks' : 'Bars'} are medians, whiskers 95 % intervals where there are enough loads.`,
    heightPx: isLines ? 380 : 90 + count('state') * (18 + 26 * count('arm')),
    draw: (canvas) =>
      isLines
        ? new Chart(canvas, loadTimeLines(figures))
        : new Chart(canvas, loadTimeBars(figures)),
  };
}

function timeCaption(figures: readonly PageStatistics[]): string {
  const rising = figures.toSorted((one, other) => (one.loadMs ?? 0) - (other.loadMs ?? 0));
  const [least, most] = [rising[0], rising.at(-1)];
  if (!least || !most || least === most) return 'One kind of load was taken.';
  return `Quickest: ${nameOf(least)}; slowest: ${nameOf(most)}.`;
}

function nameOf({ cell, loadMs }: PageStatistics): string {
  const delay = cell.storage === 'none' ? '' : ` at ${digits(cell.delayMs)} ms`;
  return `${pageCellName(cell).toLowerCase()}${delay} (${milliseconds(loadMs)})`;
}

function waterfallCaption({ sources }: PageStatistics, { loadMs, rows }: PageLoad): string {
  return `${counted(rows.length, 'resource')}: ${sourcesText(sources)}. Each bar is a resource, light until its first byte; dashed line: the load event, ${milliseconds(loadMs)}.`;
}
