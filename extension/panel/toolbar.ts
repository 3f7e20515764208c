import { html, nothing, type TemplateResult } from 'lit';
import type { Commands } from './commands.ts';
import { exportFormats } from './commands.ts';
import { depthSwitch } from './loads/depth-switch.ts';
import { icon, type IconName } from './icon.ts';
import { iconButton } from './buttons.ts';
import { loadList } from './loads/list.ts';
import {
  changeSettings,
  clearView,
  fold,
  type FoldedRow,
  type PanelState,
  pinShown,
  type Update,
  type View,
  views,
} from './panel-state.ts';

const viewTitles: Readonly<Record<View, string>> = {
  load: 'Load',
  compare: 'Compare',
  runs: 'Runs',
};

/** The first row of the panel: view, recording, load, import and export. */
export function toolbar(state: PanelState, update: Update, commands: Commands): TemplateResult {
  return html`<div role="toolbar" class="toolbar" aria-label="Panel">
    ${state.isInspecting ? recording(state, commands) : nothing}
    ${iconButton('clear', 'Clear', () => update(clearView))}
    <span class="divider"></span>
    ${viewSwitch(state, update)}
    <span class="divider"></span>
    ${
      state.view === 'load'
        ? html`<div class="load-controls">${loadControls(state, update, commands)}</div>`
        : nothing
    }
    <span class="stretch"></span>
    ${state.shown && state.view === 'load' ? unfoldButton('filter', state, update) : nothing}
    ${state.lab ? unfoldButton('lab', state, update) : nothing}
    ${state.canOpenFiles ? iconButton('import', 'Open files (Ctrl+O)', commands.chooseFiles) : nothing}
    ${state.shown && state.view === 'load' ? exportMenu(commands) : nothing}
  </div>`;
}

const rowButtons: Readonly<Record<FoldedRow, { name: IconName; title: string }>> = {
  filter: { name: 'filter', title: 'Filter and warnings (Ctrl+F)' },
  lab: { name: 'gear', title: 'Lab' },
};

function unfoldButton(row: FoldedRow, { unfolded }: PanelState, update: Update): TemplateResult {
  const { name, title } = rowButtons[row];
  const isUnfolded = unfolded.has(row);
  return html`<button
    type="button"
    class="icon-button unfold"
    title=${title}
    aria-label=${title}
    aria-expanded=${isUnfolded ? 'true' : 'false'}
    aria-controls="row-${row}"
    @click=${() => update(fold(row, !isUnfolded))}
  >
    ${icon(name)}
  </button>`;
}

function recording(state: PanelState, commands: Commands): TemplateResult {
  const isRecording = state.depth !== null;
  const title = `${isRecording ? 'Stop recording' : 'Record loads'} (Ctrl+E)`;
  return html`<button
      type="button"
      class="icon-button ${isRecording ? 'recording' : ''}"
      title=${title}
      aria-label=${title}
      aria-pressed=${isRecording ? 'true' : 'false'}
      @click=${commands.toggleRecording}
    >
      ${icon(isRecording ? 'record-stop' : 'record-start')}</button
    >${iconButton('refresh', 'Reload page (Ctrl+R)', commands.reloadPage)}`;
}

function loadControls(state: PanelState, update: Update, commands: Commands): TemplateResult {
  return html`${loadList(state, commands)} ${pinButton(state, update)}
  ${
    state.isInspecting
      ? html`<label class="check" title="Do not clear the log when the page is left or reloaded"
            ><input
              type="checkbox"
              .checked=${state.settings.isLogPreserved}
              @change=${() =>
                update((state) =>
                  changeSettings({ isLogPreserved: !state.settings.isLogPreserved })(state),
                )}
            />Preserve log</label
          >
          ${depthSwitch(state, commands)}`
      : nothing
  }`;
}

function pinButton({ shown, before, after }: PanelState, update: Update): TemplateResult {
  const id = shown?.load.id;
  const place = id === before?.load.id ? 'A' : id === after?.load.id ? 'B' : undefined;
  const isPinned = shown !== null && place !== undefined;
  const title = isPinned ? `Pinned as ${place}: unpin` : 'Pin for comparison';
  return html`<button
    type="button"
    class="text-button"
    ?disabled=${!shown}
    title=${title}
    aria-pressed=${isPinned ? 'true' : 'false'}
    @click=${() => update(pinShown)}
  >
    ${icon('difference')}<span>${isPinned ? `Pinned ${place}` : 'Pin'}</span>
  </button>`;
}

function viewSwitch(state: PanelState, update: Update): TemplateResult {
  return html`<div class="segments" role="group" aria-label="View">
    ${views.map(
      (view) =>
        html`<button
          type="button"
          aria-pressed=${state.view === view ? 'true' : 'false'}
          @click=${() => update((state) => ({ ...state, view, problems: [] }))}
        >
          ${viewTitles[view]}
        </button>`,
    )}
  </div>`;
}

function exportMenu(commands: Commands): TemplateResult {
  return html`<span class="icon-select" title="Export this load"
    >${icon('download')}<select
      aria-label="Export this load"
      @change=${(event: Event) => {
        const select = event.currentTarget as HTMLSelectElement;
        const format = exportFormats.find((format) => format === select.value);
        select.value = '';
        if (format) commands.exportShown(format);
      }}
    >
      <option value="" selected hidden></option>
      <option value="har">HAR (sanitized)</option>
      <option value="har-sensitive">HAR (with cookies and credentials)</option>
      <option value="csv">CSV</option>
      <option value="json">JSON (sanitized), opens here again</option>
      <option value="json-sensitive">JSON (with cookies and credentials)</option>
    </select></span
  >`;
}
