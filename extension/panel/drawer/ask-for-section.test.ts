import { expect, test, vi } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { storedDictionaries, urlHistory } from '../loads/stored-loads.ts';
import { type DrawerSection, initialState, openDrawer, openLoads } from '../panel-state.ts';
import type { PanelState } from '../panel-state.ts';
import { askForSection } from './ask-for-section.ts';

const [older, newer] = [madeUpLoad({ id: 'older' }), madeUpLoad({ id: 'newer' })];
const read = async (id: string) => [older, newer].find((load) => load.id === id);

/** The lookups that a section asks for. */
function asked(state: PanelState, drawerSection: DrawerSection) {
  const commands = { findHistory: vi.fn<(url: string) => void>(), findDictionaries: vi.fn() };
  askForSection({ ...state, drawerSection }, commands);
  return [commands.findHistory.mock.calls.length, commands.findDictionaries.mock.calls.length];
}

test('a lookup is repeated when a load was added, has grown or was removed, and only then', async () => {
  const opened = openDrawer(0)(openLoads([older], '')(initialState));
  expect([asked(opened, 'history'), asked(opened, 'dictionary')]).toEqual([
    [1, 0],
    [0, 1],
  ]);
  const found: PanelState = {
    ...opened,
    history: await urlHistory(older.resources[0]?.url ?? '', opened, read),
    dictionaries: await storedDictionaries(opened, read),
  };
  expect([asked(found, 'history'), asked(found, 'dictionary')]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const added = openDrawer(0)(openLoads([newer], '')(found));
  const grown: PanelState = { ...found, heads: [] };
  const removed: PanelState = { ...found, opened: [] };
  for (const changed of [added, grown, removed])
    expect([asked(changed, 'history'), asked(changed, 'dictionary')]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  expect(asked(openDrawer(1)(found), 'history')).toEqual([1, 0]);
  expect(asked({ ...added, isDrawerOpen: false }, 'history')).toEqual([0, 0]);
});
