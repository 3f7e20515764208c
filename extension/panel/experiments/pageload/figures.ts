import { greatest } from '@cachescope/model/extremes.ts';
import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import { pageArmLabels, type PageLoad, pageStateLabels } from '@cachescope/model/pageload/load.ts';
import type { PageloadRunDocument } from '@cachescope/model/pageload/run.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import { counted, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import type { Figure } from '../../charts/figure.ts';
import { loadTimeBars, loadTimeLines } from './charts.ts';
import { waterfallChart, waterfallPx } from './waterfall.ts';
import { answerText } from '../../run/verdict-words.ts';

/** The figures of page loads: load times, then a waterfall of each kind of load at the longest delay. */
export function pageloadFigures(
  { run, pageloads }: PageloadRunDocument,
  summary: PageloadSummary,
): Figure[] {
  const known = summary.figures.filter(({ loadMs }) => loadMs !== null);
  if (known.length === 0) return [];
  const longestMs = greatest(known.map(({ cell }) => cell.delayMs));
  const shown = known
    .filter(({ cell }) => cell.delayMs === longestMs)
    .flatMap((figure) => {
      const load = pageloads.find(({ sequence }) => sequence === figure.shown);
      return load ? [{ figure, load }] : [];
    });
  // All waterfalls have the same scale, so that they can be compared.
  const toMs = niceEnd(greatest(shown.map(({ load }) => endOf(load))));
  return [
    timeFigure(known),
    ...shown.map(({ figure, load }): Figure => {
      const { arm, state, storage } = figure.cell;
      const delay = storage === 'none' ? '' : `, ${digits(longestMs)} ms`;
      return {
        id: `waterfall-${arm}-${state}`,
        title: `${pageStateLabels[state]}, ${pageArmLabels[arm].toLowerCase()}${delay}: waterfall by source (ms)`,
        caption: waterfallCaption(figure, load),
        heightPx: waterfallPx(run.page),
        draw: (canvas) => new Chart(canvas, waterfallChart(run.page, load, toMs)),
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

function endOf({ rows, loadMs }: PageLoad): number {
  return Math.max(1, loadMs ?? 0, ...rows.map(({ endMs }) => endMs ?? 0));
}

function timeFigure(figures: readonly PageStatistics[]): Figure {
  const delays = new Set(figures.map(({ cell }) => cell.delayMs)).size;
  const states = new Set(figures.map(({ cell }) => cell.state)).size;
  const arms = new Set(figures.map(({ cell }) => cell.arm)).size;
  const isLines = delays > 1;
  return {
    // The sweep's main chart has the same id: both take the full width.
    id: 'read-time',
    title: isLines ? 'Load time against read delay (ms)' : 'Load time by kind of load (ms)',
    caption: `${timeCaption(figures)} ${isLines ? 'Marks' : 'Bars'} are medians, whiskers 95 % intervals where there are enough loads.`,
    heightPx: isLines ? 380 : 90 + states * (18 + 26 * arms),
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
  return `${pageStateLabels[cell.state].toLowerCase()}, ${pageArmLabels[cell.arm].toLowerCase()}${delay} (${milliseconds(loadMs)})`;
}

function waterfallCaption({ sources }: PageStatistics, { loadMs, rows }: PageLoad): string {
  const words = sources.map(({ source, count }) => `${count} ${answerText(source)}`).join(', ');
  return `${counted(rows.length, 'resource')}: ${words}. Each bar is a resource, light until its first byte; dashed line: the load event, ${milliseconds(loadMs)}.`;
}
