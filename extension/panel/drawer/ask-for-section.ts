import type { Commands } from '../commands.ts';
import type { PanelState } from '../panel-state.ts';
import type { SearchedLoads } from './lookup.ts';

/** Requests the data that the open drawer section lacks, or that was found before a load changed. */
export function askForSection(
  state: PanelState,
  commands: Pick<Commands, 'findHistory' | 'findDictionaries'>,
): void {
  const { shown, selected, isDrawerOpen, drawerSection, history, dictionaries } = state;
  const resource = selected === null ? undefined : shown?.rows[selected]?.resource;
  if (!isDrawerOpen || !resource) return;
  const { url } = resource;
  const isOutdated = (loads: SearchedLoads | undefined): boolean =>
    loads?.heads !== state.heads || loads.opened !== state.opened;
  if (drawerSection === 'history' && (history?.url !== url || isOutdated(history.loads)))
    commands.findHistory(url);
  if (drawerSection === 'dictionary' && isOutdated(dictionaries?.loads))
    commands.findDictionaries();
}
