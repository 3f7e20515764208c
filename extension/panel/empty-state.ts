import { html, type TemplateResult } from 'lit';
import type { Commands } from './commands.ts';
import type { PanelState } from './panel-state.ts';

const keys = (...names: string[]): TemplateResult =>
  html`<span class="keys"
    >${names.map((name, place) => html`${place > 0 ? ' + ' : ''}<kbd>${name}</kbd>`)}</span
  >`;

/** Its measurements are in one .ndjson file, named by its experiment; a sweep with traced reads has two. */
const runFiles = 'run.json and the .ndjson files of one run';

const files = html`a HAR file, saved loads, or ${runFiles} here, or choose them with
${keys('Ctrl', 'O')}.`;

/** Instructions when no load is displayed. */
export function emptyLoad(state: PanelState, commands: Commands): TemplateResult {
  if (!state.isInspecting) {
    return html`<div class="empty">
      <h1>Open saved loads</h1>
      <p>Drop ${files}</p>
      <p>To watch a page, open DevTools on it and choose the Cachescope panel.</p>
    </div>`;
  }
  if (state.depth === null) {
    return html`<div class="empty">
      <h1>No loads recorded</h1>
      <p>Record loads with ${keys('Ctrl', 'E')}.</p>
      <button type="button" class="primary" @click=${commands.toggleRecording}>Record loads</button>
      <p>Or drop ${files}</p>
    </div>`;
  }
  return html`<div class="empty">
    <h1>Currently recording</h1>
    <p>
      Reload to capture requests made before DevTools opened: ${keys('Ctrl', 'R')}. The panel then
      lists every resource with its source, and the reason.
    </p>
    <button type="button" class="primary" @click=${commands.reloadPage}>Reload page</button>
    <p>Or drop ${files}</p>
  </div>`;
}

/** Instructions when no resource matches the filter. */
export function emptyFilter(): TemplateResult {
  return html`<div class="empty">
    <h1>No resource matches the filter</h1>
    <p>
      Clear the filter with ${keys('Esc')} in its field, choose All types, or double click the
      overview.
    </p>
  </div>`;
}

/** Instructions when fewer than two loads are pinned. */
export function emptyCompare({ before }: PanelState): TemplateResult {
  return html`<div class="empty">
    <h1>${before ? 'Pin a second load' : 'Pin two loads to compare them'}</h1>
    <p>
      Choose a load in the Load view and press Pin. The first is A, the second B. To see what a
      cache saves, pin a first visit and a reload.
    </p>
  </div>`;
}

/** Instructions when no run is open. */
export function emptyRun(): TemplateResult {
  return html`<div class="empty">
    <h1>Open a saved run</h1>
    <p>
      Drop ${runFiles} here together, or choose them with ${keys('Ctrl', 'O')}. A sweep of more than
      150,000 samples opens from run-by-summary.json.
    </p>
    <p>To make a run: <code>npm run sweep</code>, or by hand: <code>npm run explore</code>.</p>
  </div>`;
}
