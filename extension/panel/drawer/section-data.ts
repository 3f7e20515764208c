import type { Commands } from '../commands.ts';
import type { PanelState } from '../panel-state.ts';

/** Requests the data of the open drawer section that the state lacks. */
export function askForSection(state: PanelState, commands: Commands): void {
  const { shown, selected, isDrawerOpen, drawerSection, history, dictionaries } = state;
  const resource = selected === null ? undefined : shown?.rows[selected]?.resource;
  if (!isDrawerOpen || !resource) return;
  if (drawerSection === 'history' && history?.url !== resource.url) {
    commands.findHistory(resource.url);
  }
  if (drawerSection === 'dictionary' && dictionaries === null) commands.findDictionaries();
}
