import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { expect, test, vi } from 'vitest';
import type { LoadConnection } from './loads/connection.ts';
import { createCommands } from './panel-commands.ts';
import { initialState, type PanelState } from './panel-state.ts';

const { resources, ...head } = madeUpLoad({ id: 'kept' });

/** Commands of a panel whose store has one load, read by `read`. */
function panelWith(read: LoadConnection['read']) {
  let state: PanelState = {
    ...initialState,
    heads: [{ ...head, resourceCount: resources.length }],
  };
  const connection: LoadConnection = {
    isInspecting: true,
    heads: async () => [...state.heads],
    newest: async () => undefined,
    read,
    forget: async () => {},
    onChange: () => {},
    depth: async () => null,
    setDepth: async () => {},
    urlWithoutAccess: async () => null,
    allowSite: async () => false,
  };
  const update = (change: (state: PanelState) => PanelState) => void (state = change(state));
  const commands = createCommands(
    { connection, viewRun: () => expect.fail('no run is shown') },
    () => state,
    update,
    {} as HTMLInputElement,
  );
  return { commands, update, stateOf: () => state };
}

test('a lookup that failed is made again when the loads have changed, or for something else; not before', async () => {
  const read = vi.fn<LoadConnection['read']>().mockRejectedValue(new Error('the store is busy'));
  const { commands, update, stateOf } = panelWith(read);
  await vi.waitFor(() => expect(stateOf().heads).toHaveLength(1));
  const url = resources[0]?.url ?? '';
  commands.findHistory(url);
  await vi.waitFor(() => expect(stateOf().message).toBe('the store is busy'));
  expect(read).toHaveBeenCalledTimes(1);
  // The message draws the panel anew, which asks again.
  commands.findHistory(url);
  expect(read).toHaveBeenCalledTimes(1);
  read.mockResolvedValue({ ...head, resources });
  commands.findDictionaries();
  await vi.waitFor(() => expect(stateOf().dictionaries).not.toBeNull());
  update((state) => ({ ...state, heads: [...state.heads] }));
  commands.findHistory(url);
  await vi.waitFor(() => expect(stateOf().history?.uses).not.toHaveLength(0));
});
