import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import { pageArmLabels, type PageLoad, pageStateLabels } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';
import { intervalCell } from '../../charts/interval-text.ts';
import { type Cell, table } from '../../charts/plain-table.ts';
import { answerText } from '../../run/verdict-words.ts';

/** Every cell with its load times and its network and device activity. */
export function cellTable(figures: readonly PageStatistics[]): TemplateResult {
  const isSlow = figures.some(({ cell }) => cell.storage !== 'none');
  const head = [
    'Load',
    'Delivered',
    ...(isSlow ? ['Delay'] : []),
    'Load time',
    'Last resource',
    'Requested',
    'Sent',
    ...(isSlow ? ['Device reads', 'Read'] : []),
    'Sources',
  ];
  const rows = figures.map((figure): Cell[] => [
    pageStateLabels[figure.cell.state],
    pageArmLabels[figure.cell.arm],
    ...(isSlow ? [milliseconds(figure.cell.delayMs)] : []),
    intervalCell(milliseconds(figure.loadMs), { low: figure.lowMs, high: figure.highMs }),
    milliseconds(figure.finishMs),
    digits(figure.asked),
    byteSize(figure.sentBytes),
    ...(isSlow ? [digits(figure.deviceReads), byteSize(figure.deviceReadBytes)] : []),
    figure.sources.map(({ source, count }) => `${count} ${answerText(source)}`).join(', '),
  ]);
  const caption =
    'Medians over the loads of each kind, with 95 % intervals of the load time. Requested: resources requested from the origin. Sources: those of the load nearest to the median.';
  return table('Each kind of load', caption, head, 2, rows);
}

/** Every resource of the page with its source and time in each displayed load. */
export function resourceTable(
  { resources }: Page,
  shown: readonly { figure: PageStatistics; load: PageLoad }[],
): TemplateResult {
  const head = [
    'Resource',
    'Type',
    'Caching',
    'Requested by',
    'Body',
    ...shown.map(
      ({ figure: { cell } }) =>
        `${pageStateLabels[cell.state]}, ${pageArmLabels[cell.arm].toLowerCase()}`,
    ),
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
