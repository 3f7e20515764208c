import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { type Column, shownColumns } from './columns.ts';
import { gridHeader, gridTemplate } from './header.ts';
import { gridKeys, keepingFocus, moveTo } from './keys.ts';
import { rowPx, rowWindow, windowStart } from './window.ts';
import {
  type Change,
  openDrawer,
  type PanelState,
  type ShownLoad,
  type TimeSpan,
  type Update,
} from '../panel-state.ts';
import { recycledKeys } from './row-keys.ts';
import { openRowMenu } from './row-menu.ts';
import { visibleRows } from './visible-rows.ts';
import { waterfallCell, waterfallMarks, waterfallSpan } from './waterfall.ts';
import { oncePer } from '../once-per.ts';

/**
 * The resources of a load. The page contains only the rows in view and the selected row, so that the latter keeps the
 * focus.
 */
export function resourceGrid(state: PanelState, shown: ShownLoad, update: Update): TemplateResult {
  const { rows } = visibleRows(state);
  const columns = shownColumns(state);
  const span = state.filter.range ?? spanOf(shown);
  const selectedIndex = indexOf(state.selected, rows);
  const tabStop = selectedIndex === -1 ? 0 : selectedIndex;
  const drawn = rowWindow(state.firstRow, state.rowsInView, rows.length, tabStop).flatMap((index) =>
    rows[index] ? [{ row: rows[index], index }] : [],
  );
  const keys = keysOf(drawn.map(({ row }) => row.resource.sequence));
  const open = ({ resource }: AttributedResource): void => update(openDrawer(resource.sequence));
  const hasWaterfall = columns.some(({ id }) => id === 'waterfall');
  return html`<div
    class="grid-scroller"
    ${ref(startsAtTop(update))}
    @scroll=${({ currentTarget }: Event) => {
      const scroller = currentTarget as HTMLElement;
      keepingFocus(scroller, () => update(scrolled(scroller)));
    }}
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
      <div
        role="rowgroup"
        class="rows"
        .style=${`height: ${rows.length * rowPx}px`}
        @mousedown=${(event: MouseEvent) => onRow(event, rows, (row) => update(moveTo(row)))}
        @click=${(event: MouseEvent) => isOnName(event) && onRow(event, rows, open)}
        @dblclick=${(event: MouseEvent) => onRow(event, rows, open)}
        @contextmenu=${(event: MouseEvent) =>
          onRow(event, rows, (row) => {
            update(moveTo(row));
            openRowMenu(event);
          })}
      >
        ${hasWaterfall ? marks(shown, span) : nothing}
        ${repeat(
          drawn,
          (_, place) => keys[place],
          ({ row, index }) => {
            const isSelected = index === selectedIndex;
            const isTabStop = index === tabStop;
            return guard([row, index, isSelected, isTabStop, span, columnsKey(columns)], () =>
              resourceRow(row, index, isSelected, isTabStop, span, columns),
            );
          },
        )}
      </div>
    </div>
  </div>`;
}

/**
 * A grid that is inserted again is scrolled to its top, and one whose panel is resized shows more or fewer rows: this
 * updates the state. Every draw gets the same function.
 */
function startsAtTop(update: Update): (scroller: Element | undefined) => void {
  onArrival ??= (scroller) => {
    resized?.disconnect();
    if (!(scroller instanceof HTMLElement)) return;
    // Called once at first, too.
    resized = new ResizeObserver(() => update(scrolled(scroller)));
    resized.observe(scroller);
  };
  return onArrival;
}

let onArrival: ((scroller: Element | undefined) => void) | undefined;
let resized: ResizeObserver | undefined;

const keysOf = recycledKeys();

/** One listener for all rows: otherwise every row that scrolls into view would add one. */
function onRow(
  { target }: MouseEvent,
  rows: readonly AttributedResource[],
  act: (row: AttributedResource) => void,
): void {
  const element = target instanceof Element && target.closest<HTMLElement>('.row');
  const row = element ? rows[Number(element.dataset['index'])] : undefined;
  if (row) act(row);
}

/** A click on the name opens the drawer, as in DevTools; a click elsewhere selects the row. */
function isOnName({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.name') !== null;
}

function marks(shown: ShownLoad, span: TimeSpan): TemplateResult {
  return html`<div class="marks" role="presentation">${waterfallMarks(shown, span)}</div>`;
}

/** Index of a resource among the rows; -1 when it is not among them. */
function indexOf(sequence: number | null, rows: readonly AttributedResource[]): number {
  if (sequence === null) return -1;
  // When sorted by start, the default, the index is its sequence number.
  if (rows[sequence]?.resource.sequence === sequence) return sequence;
  return rows.findIndex(({ resource }) => resource.sequence === sequence);
}

/** Changes the state only when the window of rows changes. */
function scrolled({ scrollTop, clientHeight }: HTMLElement): Change {
  const firstRow = windowStart(scrollTop);
  const rowsInView = Math.ceil(clientHeight / rowPx);
  return (state) =>
    state.firstRow === firstRow && state.rowsInView === rowsInView
      ? state
      : { ...state, firstRow, rowsInView };
}

/** Cached because it is used at every scroll and iterates over all rows. */
const spanOf = oncePer(waterfallSpan);

function columnsKey(columns: readonly Column[]): string {
  return columns.map(({ id }) => id).join();
}

/**
 * A row with a cell for each column; `index` is its position among the rows that match the filter, from 0. Tab focuses
 * one row. Its element may have shown another row before (row-keys.ts).
 */
function resourceRow(
  row: AttributedResource,
  index: number,
  isSelected: boolean,
  isTabStop: boolean,
  span: TimeSpan,
  columns: readonly Column[],
): TemplateResult {
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
  span: TimeSpan,
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
