import { html, nothing, type TemplateResult } from 'lit';
import { type Column, columnPx } from './columns.ts';
import { followDrag } from '../dragging.ts';
import { icon } from '../icon.ts';
import type { ColumnId } from '../panel-settings.ts';
import { type Change, changeSettings, type PanelState, type Update } from '../panel-state.ts';

/** Widths of all columns as CSS; the remaining width goes to the waterfall, or without it to the name. */
export function gridTemplate(columns: readonly Column[], state: PanelState): string {
  const stretched = columns.at(-1)?.id === 'waterfall' ? 'waterfall' : 'name';
  return columns
    .map((column) => {
      const width = columnPx(column, state);
      return column.id === stretched ? `minmax(${width}px, 1fr)` : `${width}px`;
    })
    .join(' ');
}

/** The header row: a click or Enter sorts, dragging the edge resizes, a right click opens the column dialog. */
export function gridHeader(
  columns: readonly Column[],
  state: PanelState,
  update: Update,
): TemplateResult {
  return html`<div
    role="row"
    class="header"
    aria-rowindex="1"
    @contextmenu=${(event: MouseEvent) => {
      event.preventDefault();
      document.querySelector<HTMLDialogElement>('#columns')?.showModal();
    }}
  >
    ${columns.map((column, place) => headerCell(column, place, columns, state, update))}
  </div>`;
}

function headerCell(
  { id, title, says, align }: Column,
  place: number,
  columns: readonly Column[],
  { settings }: PanelState,
  update: Update,
): TemplateResult {
  const { column, isDescending } = settings.sort;
  const isSorted = column === id;
  const order = isSorted ? (isDescending ? 'descending' : 'ascending') : 'none';
  return html`<div
    role="columnheader"
    class="cell ${id} ${align}"
    aria-colindex=${place + 1}
    aria-sort=${order}
    @keydown=${headerKeys}
  >
    <button
      type="button"
      class="sort"
      title=${says}
      tabindex=${place === 0 ? 0 : -1}
      @click=${() => update(sortBy(id))}
    >
      <span class="text">${title}</span>
      ${isSorted ? icon(isDescending ? 'triangle-down' : 'triangle-up') : nothing}
    </button>
    ${
      place < columns.length - 1
        ? html`<span
            class="resizer"
            role="presentation"
            @pointerdown=${(event: PointerEvent) => resize(event, id, update)}
          ></span>`
        : nothing
    }
  </div>`;
}

/** Sorts ascending first, then descending, as in DevTools. */
function sortBy(column: ColumnId): Change {
  return (state) => {
    const { sort } = state.settings;
    const isDescending = sort.column === column && !sort.isDescending;
    return changeSettings({ sort: { column, isDescending } })(state);
  };
}

/** The left and right arrow keys move between headers. */
function headerKeys(event: KeyboardEvent): void {
  const cell = event.currentTarget as HTMLElement;
  const neighbour = {
    ArrowLeft: cell.previousElementSibling,
    ArrowRight: cell.nextElementSibling,
  }[event.key];
  const button = neighbour?.querySelector('button');
  if (!button) return;
  event.preventDefault();
  button.focus();
}

function resize(event: PointerEvent, id: ColumnId, update: Update): void {
  const cell = (event.currentTarget as HTMLElement).parentElement;
  const startPx = cell?.getBoundingClientRect().width ?? 0;
  followDrag(event, (byPx) => {
    const widthPx = Math.round(Math.min(2000, Math.max(32, startPx + byPx)));
    update((state) =>
      changeSettings({ widths: { ...state.settings.widths, [id]: widthPx } })(state),
    );
  });
}
