import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import type { Commands } from '../commands.ts';
import { followDrag } from '../dragging.ts';
import { costSection } from './cost-section.ts';
import { dictionarySection } from './dictionary-section.ts';
import { headersSection } from './headers-section.ts';
import { historySection } from './history-section.ts';
import { inOwnLoad } from '../loads/joined-load.ts';
import {
  changeSettings,
  closeDrawer,
  type DrawerSection,
  drawerSections,
  type PanelState,
  type Update,
} from '../panel-state.ts';
import { phasesSection } from './phases-section.ts';
import { resourceName } from '../grid/resource-text.ts';
import { sourceSection } from './source-section.ts';
import { iconButton } from '../buttons.ts';

const titles: Readonly<Record<DrawerSection, string>> = {
  source: 'Source',
  timing: 'Timing',
  headers: 'Headers',
  dictionary: 'Dictionary',
  cost: 'Cost',
  history: 'History',
};

/** Details of the selected resource, with a tab for each topic. */
export function drawer(
  row: AttributedResource,
  state: PanelState,
  update: Update,
  commands: Commands,
): TemplateResult {
  const { drawerSection, settings } = state;
  return html`<div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the details"
      aria-valuenow=${widened(settings.drawerPx, 0)}
      aria-valuemin=${leastPx}
      aria-valuemax=${mostPx()}
      tabindex="0"
      @pointerdown=${(event: PointerEvent) => drag(event, settings.drawerPx, update)}
      @keydown=${(event: KeyboardEvent) => splitterKeys(event, update)}
    ></div>
    <aside
      class="drawer"
      aria-label="Details"
      .style=${`--drawer: ${settings.drawerPx}px`}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        update(closeDrawer);
        // Returns the focus to the row from which the drawer was opened.
        document.querySelector<HTMLElement>('.row[aria-selected=true]')?.focus();
      }}
    >
      <div class="drawer-head">
        ${iconButton('cross', 'Close (Esc)', () => update(closeDrawer))}
        <div class="tabs" role="tablist" aria-label="Details" @keydown=${tabKeys}>
          ${drawerSections.map((section) => tab(section, drawerSection, update))}
        </div>
        <span class="stretch"></span>
        ${iconButton('copy', 'Copy as cURL', () => commands.copyCurl(row.resource))}
      </div>
      <div
        class="drawer-body"
        role="tabpanel"
        id="drawer-panel"
        aria-labelledby=${`tab-${drawerSection}`}
        tabindex="0"
      >
        <h2 class="resource-title" title=${row.resource.url.slice(0, 2000)}>
          ${resourceName(row.resource.url)}
        </h2>
        ${sectionOf(row, state, commands)}
      </div>
    </aside>`;
}

function sectionOf(row: AttributedResource, state: PanelState, commands: Commands): TemplateResult {
  switch (state.drawerSection) {
    case 'source':
      return sourceSection(row, state.isInspecting);
    case 'timing':
      return phasesSection(row);
    case 'headers':
      return headersSection(row.resource);
    case 'dictionary':
      return ownDictionarySection(row, state);
    case 'cost':
      return costSection(row, state, commands);
    default:
      return historySection(row.resource, state.history, commands);
  }
}

/** In a preserved log the pages of other loads decide nothing about this request. */
function ownDictionarySection(
  { resource: { sequence } }: AttributedResource,
  { log, dictionaries }: PanelState,
): TemplateResult {
  const own = inOwnLoad(log, sequence);
  return own ? dictionarySection(own.resource, own.load, dictionaries?.known ?? null) : html``;
}

function tab(section: DrawerSection, chosen: DrawerSection, update: Update): TemplateResult {
  const isChosen = section === chosen;
  return html`<button
    type="button"
    role="tab"
    id=${`tab-${section}`}
    aria-selected=${isChosen ? 'true' : 'false'}
    aria-controls="drawer-panel"
    tabindex=${isChosen ? 0 : -1}
    @click=${() => update((state) => ({ ...state, drawerSection: section }))}
  >
    ${titles[section]}
  </button>`;
}

/** The left and right arrow keys select the neighbouring tab. */
function tabKeys(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = tabs.indexOf(event.target as HTMLButtonElement);
  const next = tabs.at((at + step) % tabs.length);
  event.preventDefault();
  next?.focus();
  next?.click();
}

const leastPx = 240;

/** The grid beside it stays wide enough to be dragged back. */
function mostPx(): number {
  return Math.max(leastPx, innerWidth - 120);
}

function widened(drawerPx: number, byPx: number): number {
  return Math.min(mostPx(), Math.max(leastPx, Math.round(Math.min(mostPx(), drawerPx) + byPx)));
}

function splitterKeys({ key }: KeyboardEvent, update: Update): void {
  const step = { ArrowLeft: 20, ArrowRight: -20 }[key];
  if (step === undefined) return;
  update((state) => {
    const drawerPx = widened(state.settings.drawerPx, step);
    return changeSettings({ drawerPx })(state);
  });
}

function drag(event: PointerEvent, startPx: number, update: Update): void {
  followDrag(event, (byPx) => {
    update(changeSettings({ drawerPx: widened(startPx, -byPx) }));
  });
}
