import { html, nothing, type TemplateResult } from 'lit';
import { columnDialog } from './column-dialog.ts';
import type { Commands } from './commands.ts';
import { compareView } from './compare-view.ts';
import { drawer } from './drawer.ts';
import { emptyFilter, emptyLoad, emptyRun } from './empty-state.ts';
import { experimentView } from './experiment-view.ts';
import { filterBar } from './filter-bar.ts';
import { icon } from './icon.ts';
import { labControls } from './lab-controls.ts';
import type { PanelState, Update } from './panel-state.ts';
import { problemsView } from './problems-view.ts';
import { resourceGrid } from './resource-grid.ts';
import { summaryBar } from './summary-bar.ts';
import { toolbar } from './toolbar.ts';
import { visibleRows } from './visible-rows.ts';

/** The whole panel. */
export function panelView(state: PanelState, update: Update, commands: Commands): TemplateResult {
  return html`${toolbar(state, update, commands)}
    ${state.lab ? labControls(state.lab, commands) : nothing}
    ${state.urlWithoutAccess === null ? nothing : siteAccess(state.urlWithoutAccess, commands)}
    <main class=${state.view}>${mainView(state, update, commands)}</main>
    ${summaryBar(state)} ${columnDialog(state, update)}`;
}

function siteAccess(url: string, commands: Commands): TemplateResult {
  return html`<p class="load-warnings" role="note">
    ${icon('warning')}<span>
      Only DevTools tells of ${new URL(url).host}: Cachescope has no access to this site yet.
      <button type="button" @click=${commands.allowSite}>Allow access to the site</button>
    </span>
  </p>`;
}

function mainView(state: PanelState, update: Update, commands: Commands): TemplateResult {
  if (state.problems.length > 0) return problemsView(state.problems);
  switch (state.view) {
    case 'load':
      return loadView(state, update, commands);
    case 'compare':
      return compareView(state, update);
    default:
      return runsView(state, commands);
  }
}

function loadView(state: PanelState, update: Update, commands: Commands): TemplateResult {
  const { shown } = state;
  if (!shown) return emptyLoad(state, commands);
  const { rows } = visibleRows(state);
  const selected = state.selected === null ? undefined : shown.rows[state.selected];
  const isOpen = state.isDrawerOpen && selected !== undefined;
  return html`${filterBar(state, update)} ${warnings(shown.load.warnings)}
    <div class="split ${isOpen ? 'with-drawer' : ''}">
      ${
        rows.length === 0 && shown.rows.length > 0
          ? emptyFilter()
          : resourceGrid(state, shown, update)
      }
      ${isOpen ? drawer(selected, shown.load, state, update, commands) : nothing}
    </div>`;
}

function warnings(sentences: readonly string[]): TemplateResult | typeof nothing {
  if (sentences.length === 0) return nothing;
  return html`<p class="load-warnings" role="note">
    ${icon('warning')}<span>${sentences.join(' ')}</span>
  </p>`;
}

function runsView({ run, isDark }: PanelState, commands: Commands): TemplateResult {
  if (!run) return emptyRun();
  const { document } = run;
  return experimentView(document, { commands, isDark });
}
