import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { takeKey } from '../panel-events.ts';
import { rowPx } from './window.ts';
import {
  closeDrawer,
  openDrawer,
  type PanelState,
  select,
  type Change,
  type Update,
} from '../panel-state.ts';

/** Selects a row. */
export function moveTo({ resource }: AttributedResource): Change {
  return select(resource.sequence);
}

/** Keys on a row of the grid: arrows, Page Up, Page Down, Home and End move; Enter opens the drawer, Esc closes it. */
export function gridKeys(
  event: KeyboardEvent,
  state: PanelState,
  rows: readonly AttributedResource[],
  update: Update,
): void {
  const rowElement = event.target instanceof Element && event.target.closest('.row');
  if (!(rowElement instanceof HTMLElement)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const index = Number(rowElement.dataset['index']);
  const row = rows[index];
  if (event.key === 'Escape' && state.isDrawerOpen) {
    takeKey(event);
    return update(closeDrawer);
  }
  if ((event.key === 'Enter' || event.key === ' ') && row) {
    event.preventDefault();
    return update(openDrawer(row.resource.sequence));
  }
  const next = rows[targetIndex(event.key, index, state.rowsInView, rows.length)];
  if (!next) return;
  event.preventDefault();
  // Before the redraw, which may remove the row.
  const scroller = rowElement.closest<HTMLElement>('.grid-scroller');
  update(moveTo(next));
  reveal(scroller, rows.indexOf(next));
}

function targetIndex(key: string, index: number, page: number, count: number): number {
  const last = count - 1;
  // One row less than fits, to keep one row of context; the header covers another.
  const leap = Math.max(1, page - 2);
  const targets: Record<string, number> = {
    ArrowDown: Math.min(last, index + 1),
    ArrowUp: Math.max(0, index - 1),
    PageDown: Math.min(last, index + leap),
    PageUp: Math.max(0, index - leap),
    Home: 0,
    End: last,
  };
  return targets[key] ?? -1;
}

/** Scrolls a row into view and focuses it. The panel must be drawn already. */
function reveal(scroller: HTMLElement | null, index: number): void {
  if (!scroller) return;
  const header = scroller.querySelector<HTMLElement>('[role=row]')?.offsetHeight ?? 0;
  const top = index * rowPx;
  const visible = scroller.clientHeight - header;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + rowPx > scroller.scrollTop + visible) scroller.scrollTop = top + rowPx - visible;
  scroller
    .querySelector<HTMLElement>(`.row[data-index="${index}"]`)
    ?.focus({ preventScroll: true });
}

/** Redraws the rows. An element that moves in the document loses the focus, so the focused row gets it back. */
export function keepingFocus(scroller: HTMLElement, redraw: () => void): void {
  const focused = scroller.querySelector<HTMLElement>('.row:focus');
  redraw();
  if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
}
