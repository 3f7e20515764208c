import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { html, type TemplateResult } from 'lit';
import type { Column } from './columns.ts';
import { rowPx } from './window.ts';
import { waterfallCell, type WaterfallSpan } from './waterfall.ts';

/** The data of one row of the grid. */
export interface ResourceRow {
  row: AttributedResource;
  /** Position among the rows that match the filter, from 0. */
  index: number;
  isSelected: boolean;
  /** Whether Tab focuses this row; true for one row. */
  isTabStop: boolean;
  span: WaterfallSpan;
  columns: readonly Column[];
}

/** A row with a cell for each column. Its element may have shown another row before (row-keys.ts). */
export function resourceRow(drawn: ResourceRow): TemplateResult {
  const { row, index, isSelected, isTabStop, span, columns } = drawn;
  const { status } = row.resource;
  const isError = status !== null && status >= 400;
  return html`<div
    role="row"
    class="row ${index % 2 === 1 ? 'odd' : ''} ${isError ? 'error' : ''}"
    aria-rowindex=${index + 2}
    aria-selected=${isSelected ? 'true' : 'false'}
    tabindex=${isTabStop ? 0 : -1}
    data-index=${index}
    .style=${`top: ${index * rowPx}px`}
  >
    ${columns.map((column, place) => cell(column, row, span, place))}
  </div>`;
}

function cell(
  column: Column,
  row: AttributedResource,
  span: WaterfallSpan,
  place: number,
): TemplateResult {
  if (column.id === 'waterfall') return waterfallCell(row, span, place);
  return html`<div
    role="gridcell"
    class=${cellClass(column, row)}
    aria-colindex=${place + 1}
    title=${column.tooltip(row)}
  >
    ${column.text(row)}
  </div>`;
}

/** The icon is the background of the cell: a separate element would double the size of the row. */
function cellClass({ id, align, value, icon }: Column, row: AttributedResource): string {
  const image = icon ? `with-image icon-${icon(row)}` : '';
  return `cell ${id} ${align} ${image} ${value(row) === null ? 'not-known' : ''}`;
}
