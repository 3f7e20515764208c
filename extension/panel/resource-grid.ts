import type { AttributedResource } from '@cachescope/model/attributed-resource.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { type Column, shownColumns } from './columns.ts';
import { gridHeader, gridTemplate } from './grid-header.ts';
import { gridKeys, moveTo } from './grid-keys.ts';
import { rowWindow, rowPx } from './grid-window.ts';
import { icon } from './icon.ts';
import { openDrawer, type PanelState, type ShownLoad, type Update } from './panel-state.ts';
import { visibleRows } from './visible-rows.ts';
import { waterfallBar, waterfallMarks, waterfallSpan } from './waterfall.ts';

/** The resources of a load. Only the rows in view are in the page, and the selected one, so that it keeps the focus. */
export function resourceGrid(state: PanelState, shown: ShownLoad, update: Update): TemplateResult {
  const { rows } = visibleRows(state);
  const columns = shownColumns(state.settings.hidden, state.isDrawerOpen);
  const span = spanOf(shown);
  const selectedIndex = indexOf(state.selected, rows);
  const tabStop = selectedIndex === -1 ? 0 : selectedIndex;
  const indexes = rowWindow(state.firstRow, state.rowsInView, rows.length, tabStop);
  const hasWaterfall = columns.some(({ id }) => id === 'waterfall');
  return html`<div
    class="grid-scroller"
    @scroll=${(event: Event) => update(scrolled(event.currentTarget as HTMLElement))}
  >
    <div
      role="grid"
      class="grid"
      aria-label="Resources"
      aria-rowcount=${rows.length + 1}
      aria-colcount=${columns.length}
      .style=${`--grid-columns: ${gridTemplate(columns, state)}`}
      @keydown=${(event: KeyboardEvent) => gridKeys(event, state, rows, update)}
    >
      ${gridHeader(columns, state, update)}
      <div role="rowgroup" class="rows" .style=${`height: ${rows.length * rowPx}px`}>
        ${hasWaterfall ? marks(shown, span) : nothing}
        ${repeat(
          indexes,
          (index) => rows[index]?.resource.sequence ?? index,
          (index) => {
            const row = rows[index];
            const isSelected = index === selectedIndex;
            const isTabStop = index === tabStop;
            return row
              ? guard([row, index, isSelected, isTabStop, span, columnsKey(columns)], () =>
                  gridRow({ row, index, isSelected, isTabStop, span, columns }, update),
                )
              : nothing;
          },
        )}
      </div>
    </div>
  </div>`;
}

interface GridRow {
  row: AttributedResource;
  index: number;
  isSelected: boolean;
  isTabStop: boolean;
  span: number;
  columns: readonly Column[];
}

function gridRow(
  { row, index, isSelected, isTabStop, span, columns }: GridRow,
  update: Update,
): TemplateResult {
  const { sequence, status } = row.resource;
  const isError = status !== null && status >= 400;
  return html`<div
    role="row"
    class="row ${index % 2 === 1 ? 'odd' : ''} ${isError ? 'error' : ''}"
    aria-rowindex=${index + 2}
    aria-selected=${isSelected ? 'true' : 'false'}
    tabindex=${isTabStop ? 0 : -1}
    data-index=${index}
    .style=${`top: ${index * rowPx}px`}
    @mousedown=${() => update(moveTo(row))}
    @click=${(event: MouseEvent) => opensDrawer(event) && update(openDrawer(sequence))}
    @dblclick=${() => update(openDrawer(sequence))}
  >
    ${columns.map((column, place) => gridCell(column, row, span, place))}
  </div>`;
}

/** A click on the name opens the drawer, as in DevTools; elsewhere it selects. */
function opensDrawer({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.name') !== null;
}

function gridCell(
  column: Column,
  row: AttributedResource,
  span: number,
  place: number,
): TemplateResult {
  if (column.id === 'waterfall') {
    return html`<div role="gridcell" class="cell waterfall" aria-colindex=${place + 1}>
      ${waterfallBar(row, span)}
    </div>`;
  }
  return html`<div
    role="gridcell"
    class="cell ${column.id} ${column.align} ${column.value(row) === null ? 'not-known' : ''}"
    aria-colindex=${place + 1}
    title=${column.tooltip(row)}
  >
    ${column.icon ? icon(column.icon(row)) : nothing}${column.text(row)}
  </div>`;
}

function marks(shown: ShownLoad, span: number): TemplateResult {
  return html`<div class="marks" role="presentation">${waterfallMarks(shown, span)}</div>`;
}

/** Where a resource stands among the rows; -1 when it does not. */
function indexOf(sequence: number | null, rows: readonly AttributedResource[]): number {
  if (sequence === null) return -1;
  // Sorted by start, which is the usual order, it stands where its number says.
  if (rows[sequence]?.resource.sequence === sequence) return sequence;
  return rows.findIndex(({ resource }) => resource.sequence === sequence);
}

/** Only a change of the window of rows is a change of the state. */
function scrolled(scroller: HTMLElement): (state: PanelState) => PanelState {
  const firstRow = Math.floor(scroller.scrollTop / rowPx);
  const rowsInView = Math.ceil(scroller.clientHeight / rowPx);
  return (state) =>
    state.firstRow === firstRow && state.rowsInView === rowsInView
      ? state
      : { ...state, firstRow, rowsInView };
}

/** Spans are asked for at every scroll, and cost a pass over all rows. */
const spans = new WeakMap<ShownLoad, number>();

function spanOf(shown: ShownLoad): number {
  const known = spans.get(shown);
  if (known !== undefined) return known;
  const span = waterfallSpan(shown);
  spans.set(shown, span);
  return span;
}

function columnsKey(columns: readonly Column[]): string {
  return columns.map(({ id }) => id).join();
}
