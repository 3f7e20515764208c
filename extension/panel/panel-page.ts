import { render } from 'lit';
import { createCommands } from './panel-commands.ts';
import { listenToFiles, listenToKeys, listenToSearch } from './panel-events.ts';
import { askForSection } from './drawer/ask-for-section.ts';
import { saveSettings, savedSettings } from './panel-settings.ts';
import { type Change, initialState, type PanelState, type Update } from './panel-state.ts';
import { panelView } from './panel-view.ts';
import { colourRowIcons } from './grid/row-icons.ts';
import type { Surroundings } from './surroundings.ts';
import { followTheme } from './theme.ts';
import { runTitle } from './run/title.ts';
import './icons.css';
import './panel.css';

/** Shows the panel in the page, with the given surroundings. Returns the function that updates its state. */
export function showPanel(surroundings: Surroundings): Update {
  const { connection, openFiles, viewRun } = surroundings;
  let state: PanelState = {
    ...initialState,
    isInspecting: connection?.isInspecting === true,
    canOpenFiles: openFiles !== undefined,
    settings: savedSettings(),
  };

  /** Draws synchronously, so that code after a change sees the updated page. */
  const update = (change: Change): void => {
    const next = change(state);
    if (next === state) return;
    if (next.settings !== state.settings) saveSettings(next.settings);
    state = next;
    draw();
    askForSection(state, commands);
  };
  const draw = (): void => {
    render(panelView(state, update, commands, viewRun), document.body);
    document.title = titleOf(state);
  };
  const measureWidth = (): void =>
    update((state) => (state.panelPx === innerWidth ? state : { ...state, panelPx: innerWidth }));

  const picker = document.createElement('input');
  const commands = createCommands(surroundings, () => state, update, picker);

  // Screenshots are taken of a report's charts: nothing may cover them.
  document.body.classList.toggle('report', connection === null);
  listenToKeys(() => state, update, commands);
  listenToSearch(update);
  if (openFiles) listenToFiles(picker, commands);
  followTheme((isDark) => {
    colourRowIcons();
    update((state) => ({ ...state, isDark }));
  });
  addEventListener('resize', measureWidth);
  measureWidth();
  draw();
  return update;
}

function titleOf({ view, run }: PanelState): string {
  return view === 'runs' && run ? runTitle(run.document.run) : 'Cachescope';
}
