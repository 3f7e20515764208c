import { html, nothing, type TemplateResult } from 'lit';
import { columnDialog } from './grid/column-dialog.ts';
import type { Commands } from './commands.ts';
import { compareView } from './experiments/comparison/loads-view.ts';
import { drawer } from './drawer/drawer.ts';
import { emptyFilter, emptyLoad, emptyRun } from './empty-state.ts';
import { filterBar } from './grid/filter-bar.ts';
import { icon } from './icon.ts';
import { labControls } from './lab/controls.ts';
import type { FoldedRow, PanelState, Update } from './panel-state.ts';
import { overview } from './grid/overview.ts';
import { problemsView } from './run/problems-view.ts';
import { resourceGrid } from './grid/resource-grid.ts';
import { rowMenu } from './grid/row-menu.ts';
import type { Surroundings } from './surroundings.ts';
import { summaryBar } from './grid/summary-bar.ts';
import { toolbar } from './toolbar.ts';
import { visibleRows } from './grid/visible-rows.ts';

/** The whole panel. */
export function panelView(
  state: PanelState,
  update: Update,
  commands: Commands,
  viewRun: Surroundings['viewRun'],
): TemplateResult {
  const { view, run, problems } = state;
  const main = (): TemplateResult => {
    if (problems.length > 0) return problemsView(problems);
    if (view === 'load') return loadView(state, update, commands);
    if (view === 'compare') return compareView(state, update);
    return run ? viewRun(run.document, { commands, isDark: state.isDark }) : emptyRun();
  };
  return html`${toolbar(state, update, commands)}
    ${state.lab ? foldable('lab', state, labControls(state.lab, commands)) : nothing}
    ${state.urlWithoutAccess === null ? nothing : siteAccess(state.urlWithoutAccess, commands)}
    <main class=${view}>${main()}</main>
    ${summaryBar(state)} ${columnDialog(state, update)} ${rowMenu(state, update, commands)}`;
}

/** A row that a low panel shows only while its toolbar button is pressed. */
function foldable(row: FoldedRow, { unfolded }: PanelState, content: TemplateResult) {
  return html`<div id="row-${row}" class="foldable ${unfolded.has(row) ? 'unfolded' : ''}">
    ${content}
  </div>`;
}

function note(content: TemplateResult | string): TemplateResult {
  return html`<p class="load-warnings" role="note">${icon('warning')}<span>${content}</span></p>`;
}

function siteAccess(url: string, commands: Commands): TemplateResult {
  return note(html`
    Only DevTools reports on ${new URL(url).host}: Cachescope has no access to this site yet.
    <button type="button" @click=${commands.allowSite}>Allow access to the site</button>
  `);
}

function loadView(state: PanelState, update: Update, commands: Commands): TemplateResult {
  const { shown } = state;
  if (!shown) return emptyLoad(state, commands);
  const { rows } = visibleRows(state);
  const selected = state.selected === null ? undefined : shown.rows[state.selected];
  const isOpen = state.isDrawerOpen && selected !== undefined;
  const { warnings } = shown.load;
  const filter = html`${filterBar(state, update)}
  ${shown.rows.length > 0 ? overview(state, shown, update) : nothing}
  ${warnings.length > 0 ? note(warnings.join(' ')) : nothing}`;
  return html`${foldable('filter', state, filter)}
    <div class="split ${isOpen ? 'with-drawer' : ''}">
      ${
        rows.length === 0 && shown.rows.length > 0
          ? emptyFilter()
          : resourceGrid(state, shown, update)
      }
      ${isOpen ? drawer(selected, state, update, commands) : nothing}
    </div>`;
}
