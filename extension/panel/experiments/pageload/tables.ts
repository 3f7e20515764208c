import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import {
  pageArmLabels,
  pageCellName,
  type PageLoad,
  pageStateLabels,
} from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';
import { intervalCell } from '../../charts/interval-text.ts';
import { type Cell, table } from '../../charts/plain-table.ts';
import { answerText } from '../../run/verdict-words.ts';

/** A kind of load, and the load that represents it. */
export interface ShownLoad {
  figure: PageStatistics;
  load: PageLoad;
}

/** Every cell with its load times and its network and device activity. */
export function cellTable(figures: readonly PageStatistics[]): TemplateResult {
  const isSlow = figures.some(({ cell }) => cell.storage !== 'none');
  const allColumns: [isShown: boolean, title: string, cell: (figure: PageStatistics) => Cell][] = [
    [true, 'Load', ({ cell }) => pageStateLabels[cell.state]],
    [true, 'Delivered', ({ cell }) => pageArmLabels[cell.arm]],
    [isSlow, 'Delay', ({ cell }) => milliseconds(cell.delayMs)],
    [true, 'Load time', loadTimeCell],
    [true, 'Last resource', ({ finishMs }) => milliseconds(finishMs)],
    [true, 'Requested', ({ asked }) => digits(asked)],
    [true, 'Sent', ({ sentBytes }) => byteSize(sentBytes)],
    [isSlow, 'Device reads', ({ deviceReads }) => digits(deviceReads)],
    [isSlow, 'Read', ({ deviceReadBytes }) => byteSize(deviceReadBytes)],
    [true, 'Sources', ({ sources }) => sourcesText(sources)],
  ];
  const columns = allColumns.filter(([isShown]) => isShown);
  const head = columns.map(([, title]) => title);
  const rows = figures.map((figure) => columns.map(([, , cell]) => cell(figure)));
  const caption =
    'Medians over the loads of each kind, with 95 % intervals of the load time. Requested: resources requested from the origin. Sources: those of the load nearest to the median.';
  return table('Each kind of load', caption, head, 2, rows);
}

function loadTimeCell({ loadMs, lowMs, highMs }: PageStatistics): Cell {
  return intervalCell(milliseconds(loadMs), { low: lowMs, high: highMs });
}

/** For example `12 disk, 3 network`. */
export function sourcesText(sources: PageStatistics['sources']): string {
  return sources.map(({ source, count }) => `${count} ${answerText(source)}`).join(', ');
}

/** Every resource of the page with its source and time in each displayed load. */
export function resourceTable({ resources }: Page, shown: readonly ShownLoad[]): TemplateResult {
  const head = [
    'Resource',
    'Type',
    'Caching',
    'Requested by',
    'Body',
    ...shown.map(({ figure }) => pageCellName(figure.cell)),
  ];
  const rows = resources.map((resource, place): Cell[] => [
    html`<span title=${resource.url}>${resource.name}</span>`,
    resource.type,
    resource.caching,
    resource.parent === null ? 'the navigation' : (resources[resource.parent]?.name ?? ''),
    byteSize(resource.bodyBytes),
    ...shown.map(({ load }) => {
      const row = load.rows.find((each) => each.place === place);
      const ms = row && row.startMs !== null && row.endMs !== null ? row.endMs - row.startMs : null;
      return html`<span
        >${milliseconds(ms)}<small>${answerText(row?.source ?? 'unknown')}</small></span
      >`;
    }),
  ]);
  const caption =
    'Time of each resource from request to last byte in the load nearest to the median of its kind, its source below.';
  return table('Each resource', caption, head, 4, rows);
}
