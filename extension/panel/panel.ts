import { render } from 'lit';
import { createCommands } from './panel-commands.ts';
import { listenToPage } from './panel-events.ts';
import { followRun } from './followed-run.ts';
import { followLab } from './lab-connection.ts';
import { loadConnection } from './load-connection.ts';
import { openEmbedded } from './opened-files.ts';
import { askForSection } from './section-data.ts';
import { saveSettings, savedSettings } from './panel-settings.ts';
import { type Change, initialState, type PanelState } from './panel-state.ts';
import { panelView } from './panel-view.ts';
import { colourRowIcons } from './row-icons.ts';
import { followTheme } from './theme.ts';
import './panel.css';

const connection = loadConnection();

let state: PanelState = {
  ...initialState,
  isInspecting: connection?.isInspecting === true,
  settings: savedSettings(),
};

/** Drawn at once, so that what follows a change finds the page as it is then. */
function update(change: Change): void {
  const next = change(state);
  if (next === state) return;
  if (next.settings !== state.settings) saveSettings(next.settings);
  state = next;
  draw();
  askForSection(state, commands);
}

function draw(): void {
  render(panelView(state, update, commands), document.body);
  document.title = titleOf(state);
}

function titleOf({ view, run }: PanelState): string {
  if (view !== 'runs' || !run) return 'Cachescope';
  const { plan, experiment } = run.document.run;
  const subject = 'workload' in plan ? plan.workload.title : 'url' in plan ? plan.url : experiment;
  return `Cachescope: ${subject}`;
}

function measureWidth(): void {
  update((state) => (state.panelPx === innerWidth ? state : { ...state, panelPx: innerWidth }));
}

const picker = document.createElement('input');
const commands = createCommands(connection, () => state, update, picker);

// Pictures are taken of a report's charts: nothing may lie over them.
document.body.classList.toggle('report', connection === null);
listenToPage(picker, () => state, update, commands);
followTheme((isDark) => {
  colourRowIcons();
  update((state) => ({ ...state, isDark }));
});
addEventListener('resize', measureWidth);
measureWidth();
draw();
openEmbedded(update);
followLab(update);
followRun(update);
// Tells whoever takes a picture of the page that the charts are drawn.
document.body.dataset['ready'] = '';
