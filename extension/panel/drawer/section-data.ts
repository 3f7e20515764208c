import type { Commands } from '../commands.ts';
import type { PanelState } from '../panel-state.ts';

/** Asks for what the open section of the drawer shows and the state does not hold yet. */
export function askForSection(state: PanelState, commands: Commands): void {
  const { shown, selected, isDrawerOpen, drawerSection, history, dictionaries } = state;
  const resource = selected === null ? undefined : shown?.rows[selected]?.resource;
  if (!isDrawerOpen || !resource) return;
  if (drawerSection === 'history' && history?.url !== resource.url) {
    commands.findHistory(resource.url);
  }
  if (drawerSection === 'dictionary' && dictionaries === null) commands.findDictionaries();
}
