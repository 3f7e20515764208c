import { microCacheLabels } from '@cachescope/model/micro/cache.ts';
import type { Crossover } from '@cachescope/model/micro/crossover.ts';
import type { MicroFigure } from '@cachescope/model/micro/figure.ts';
import {
  conditionLabel,
  loadLabel,
  rowLabel,
  searchLabel,
  searchTimeLabel,
} from '@cachescope/model/micro/label.ts';
import { microPivot } from '@cachescope/model/micro/pivot.ts';
import type { MicroPart } from '@cachescope/model/micro/slice.ts';
import { publishedFigure, type PublishedFigure } from '@cachescope/model/micro/history.ts';
import type { MicroRow } from '@cachescope/model/micro/row.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';

type Cell = TemplateResult | string;

/** A table that scrolls sideways separately in a narrow panel, also by keyboard. The first `words` columns are text. */
function table(
  label: string,
  caption: string,
  head: readonly string[],
  words: number,
  rows: readonly (readonly Cell[])[],
): TemplateResult {
  return frame(
    label,
    caption,
    head,
    words,
    html`<tbody>
      ${rows.map((row) => line(row, words))}
    </tbody>`,
  );
}

/**
 * The table around the rows. It is only as wide as its content: values far from their names are hard to read across.
 */
function frame(
  label: string,
  caption: string,
  head: readonly string[],
  words: number,
  bodies: TemplateResult | readonly TemplateResult[],
): TemplateResult {
  return html`<div
    class="scroll"
    role="region"
    aria-label=${label}
    tabindex="0"
    .style=${'width: fit-content; max-width: 100%'}
  >
    <table>
      <caption .style=${'width: 0; min-width: 100%; box-sizing: border-box'}>
        <span>${caption}</span>
      </caption>
      <thead>
        <tr>
          ${head.map((title, place) => html`<th scope="col" class=${kind(place, words)}>${title}</th>`)}
        </tr>
      </thead>
      ${bodies}
    </table>
  </div>`;
}

function kind(place: number, words: number): string {
  return place < words ? 'word' : '';
}

function line([first, ...others]: readonly Cell[], words: number): TemplateResult {
  return html`<tr>
    <th scope="row" class="word">${first}</th>
    ${cells(others, words)}
  </tr>`;
}

/** The cells after the first. */
function cells(others: readonly Cell[], words: number): TemplateResult[] {
  return others.map((cell, place) => html`<td class=${kind(place + 1, words)}>${cell}</td>`);
}

/** Rows with a common name: the name is one cell beside all of them. */
function group(name: Cell, rows: readonly (readonly Cell[])[], words: number): TemplateResult {
  return html`<tbody>
    ${rows.map(
      ([, ...others], index) =>
        html`<tr>
          ${
            index === 0
              ? html`<th scope="rowgroup" class="word" rowspan=${rows.length}>${name}</th>`
              : nothing
          }
          ${cells(others, words)}
        </tr>`,
    )}
  </tbody>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function spread(low: number | null, high: number | null, unit = ''): string {
  return low === null || high === null ? unknownText : `${digits(low)} to ${digits(high)}${unit}`;
}

function median(figure: MicroFigure): Cell {
  const { medianMs, lowMs, highMs, belowResolution, resolutionMs } = figure;
  const value = belowResolution ? `below ${digits(2 * resolutionMs)}` : digits(medianMs);
  return html`<span>${value}<small>${spread(lowMs, highMs)}</small></span>`;
}

/** The medians of one part: by cache and row, over sizes or entries. */
export function pivotTable(
  label: string,
  caption: string,
  part: Exclude<MicroPart, 'crossover'>,
  all: readonly MicroFigure[],
): TemplateResult {
  const { head, levels, rows } = microPivot(part, all);
  const lines = rows.map(({ names, figures }): Cell[] => [
    ...names,
    ...figures.map((figure) => (figure ? median(figure) : unknownText)),
  ]);
  const groups = [...Map.groupBy(lines, ([name = '']) => name)];
  return frame(
    label,
    `${caption} Medians, ms, with 95 % intervals below them. A dash: unknown, or independent of the size.`,
    [...head.map(capital), ...levels],
    head.length,
    groups.map(([name, own]) => group(name, own, head.length)),
  );
}

function valuesOf(figure: MicroFigure): Cell[] {
  return [
    digits(figure.runs === 0 ? null : figure.totalMs),
    digits(figure.runs),
    digits(figure.averageMs),
    median(figure),
    digits(figure.p95Ms),
  ];
}

const publishedHead = ['Published: total, ms', 'Runs', 'Average, ms'];
const valueHead = ['Total, ms', 'Runs', 'Average, ms', 'Median, ms', '95th percentile, ms'];

/** The values in the form of Mozilla's published table, with its averages beside them. */
export function documentTable(
  label: string,
  figures: readonly MicroFigure[],
  published: readonly PublishedFigure[],
): TemplateResult {
  const isList = figures[0]?.cell.part === 'list';
  const rows = figures.map((figure) => {
    const { cell } = figure;
    const row = cell.row as MicroRow;
    const isComparable = cell.state === 'running' && cell.storage === 'none';
    const old = isComparable ? publishedFigure(published, { ...cell, row }) : undefined;
    return [
      byteSize(cell.bytes),
      microCacheLabels[cell.cache],
      isList ? loadLabel(cell) : rowLabel(cell),
      ...valuesOf(figure),
      ...(old
        ? [digits(old.totalMs), digits(old.runs), old.averageMs.toFixed(2)]
        : [unknownText, unknownText, unknownText]),
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
export function searchTable(figures: readonly MicroFigure[]): TemplateResult {
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
    crossover.sizes.map((size) => {
      const { relative, relativeInterval: interval } = size;
      const share = (value: number | null | undefined): number | null =>
        typeof value === 'number' ? 100 * value : null;
      return [
        conditionLabel(crossover),
        byteSize(size.bytes),
        digits(size.diskMs),
        digits(size.memoryMs),
        html`<span
          >${digits(share(relative))}<small
            >${spread(share(interval?.low), share(interval?.high))}</small
          ></span
        >`,
        size.outcome,
      ];
    }),
  );
  return table(
    'Disk against memory',
    'Medians of hits of the same launches; how much longer the disk takes, with its 95 % interval.',
    ['Where', 'Size', 'Disk, ms', 'Memory, ms', 'Disk slower by, %', 'Outcome'],
    1,
    rows,
  );
}
