import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { expect, test, vi } from 'vitest';
import type { LoadConnection } from './loads/connection.ts';
import { createCommands } from './panel-commands.ts';
import { clearView, initialState, openLoads, type PanelState } from './panel-state.ts';

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
    clearBrowserCache: async () => {},
    blockUrls: async () => {},
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

test('a slow read replaces nothing that was displayed after it, and a deletion drops no file opened meanwhile', async () => {
  const waiting = new Map<string, (load: Load) => void>();
  const read = (id: string) => new Promise<Load>((resolve) => waiting.set(id, resolve));
  const { commands, update, stateOf } = panelWith(read);
  const finish = async (id: string) => {
    waiting.get(id)?.({ ...head, resources, id });
    await new Promise((resolve) => setTimeout(resolve));
  };
  const ids = () => stateOf().log.map(({ id }) => id);
  commands.showLoad('slow');
  commands.showLoad('kept');
  await finish('kept');
  await finish('slow');
  expect(ids()).toEqual(['kept']);
  commands.showLoad('slow');
  update(clearView);
  await finish('slow');
  expect(ids()).toEqual([]);
  const file = { ...head, resources, id: 'file' };
  commands.forgetLoad('kept');
  update(openLoads([file], ''));
  await vi.waitFor(() => expect(stateOf().heads).toEqual([]));
  expect(stateOf().opened).toEqual([file]);
  expect(ids()).toEqual(['file']);
});
