import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { fetchCall } from '@cachescope/model/load/fetch-call.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { html, type TemplateResult } from 'lit';
import type { Commands } from '../commands.ts';
import { harText } from '../loads/export-load.ts';
import { filterBy, openDrawer, type PanelState, type Update } from '../panel-state.ts';

/** An entry of the menu: its words, and what it does. */
type Item = [title: string, act: () => void];

/** The menu of the selected row, opened by a right click, Shift+F10 or the menu key. */
export function rowMenu(state: PanelState, update: Update, commands: Commands): TemplateResult {
  const { shown, selected } = state;
  const row = selected === null ? undefined : shown?.rows[selected];
  const items =
    shown && row
      ? [
          ...itemsOf(row, shown.load, update, commands),
          ...(state.depth === 'debugger' ? browserItems(row.resource.url, state, commands) : []),
        ]
      : [];
  return html`<div id="row-menu" popover role="menu" aria-label="Request" @keydown=${menuKeys}>
    ${items.map(
      ([title, act]) =>
        html`<button
          type="button"
          role="menuitem"
          @click=${() => {
            menu()?.hidePopover();
            act();
          }}
        >
          ${title}
        </button>`,
    )}
  </div>`;
}

function itemsOf(
  { resource, attribution }: AttributedResource,
  load: Load,
  update: Update,
  { copy, copyCurl }: Commands,
): Item[] {
  const call = fetchCall(resource);
  const host = URL.parse(resource.url)?.hostname;
  const filter = (text: string): Item => [`Filter by ${text}`, () => update(filterBy({ text }))];
  return [
    ['Open details', () => update(openDrawer(resource.sequence))],
    ['Copy URL', () => copy(resource.url, 'the URL.')],
    ['Copy as cURL', () => copyCurl(resource)],
    ...(call ? [['Copy as fetch', () => copy(call, 'as fetch, without secrets.')] as Item] : []),
    [
      'Copy as HAR',
      () => copy(harText({ ...load, resources: [resource] }), 'as HAR, without secrets.'),
    ],
    ['Copy all as HAR', () => copy(harText(load), 'all as HAR, without secrets.')],
    ...(host ? [filter(`domain:${host}`)] : []),
    filter(`source:${attribution.source}`),
  ];
}

/** What the browser does by command of the debugger. */
function browserItems(
  url: string,
  { blocked }: PanelState,
  { clearBrowserCache, toggleBlocked }: Commands,
): Item[] {
  return [
    [blocked.includes(url) ? 'Unblock request URL' : 'Block request URL', () => toggleBlocked(url)],
    ['Clear browser cache', clearBrowserCache],
  ];
}

function menu(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#row-menu');
}

/** Opens the menu where the pointer is; the row must be selected already. */
export function openRowMenu(event: MouseEvent): void {
  const element = menu();
  if (!element) return;
  event.preventDefault();
  element.showPopover();
  const { width, height } = element.getBoundingClientRect();
  // In a low panel the menu may not fit below the pointer.
  element.style.left = `${Math.max(0, Math.min(event.clientX, innerWidth - width))}px`;
  element.style.top = `${Math.max(0, Math.min(event.clientY, innerHeight - height))}px`;
  element.querySelector('button')?.focus();
}

/** The up and down arrow keys move between the entries, Esc closes. */
function menuKeys(event: KeyboardEvent): void {
  // The browser closes the menu; DevTools would open its drawer.
  if (event.key === 'Escape') event.stopPropagation();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const place = items.findIndex((item) => item === document.activeElement);
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  items.at((place + step) % items.length)?.focus();
}
