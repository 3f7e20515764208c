import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { followLoads } from './followed-loads.ts';
import type { LoadConnection } from './connection.ts';
import {
  followLoad,
  clearView,
  initialState,
  type PanelState,
  pinShown,
  showLoad,
  showLog,
} from '../panel-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const older: Load = { ...madeUpLoad({ count: 1 }), id: 'older' };
const newer: Load = { ...older, id: 'newer' };

/** A store whose reads take the times in `delaysMs`, in order, and 0 ms after the last. */
function followed(delaysMs: number[], access: LoadConnection['urlWithoutAccess']) {
  const store = {
    newest: older,
    heads: [] as LoadHead[],
    gone: '',
    depth: 'page' as EvidenceDepth,
  };
  let state: PanelState = { ...initialState, isInspecting: true };
  const calls: string[] = [];
  let tellChange: (ids: readonly string[]) => void = () => undefined;
  /** The answer is the value at the time of the call. */
  const after = <Answer>(answer: Answer, delayMs = 0): Promise<Answer> =>
    new Promise((resolve) => setTimeout(() => resolve(answer), delayMs));
  const never = () => Promise.reject(new Error('not asked here'));
  const connection: LoadConnection = {
    isInspecting: true,
    heads: async () => {
      calls.push('heads');
      return [...store.heads];
    },
    newest: () => after(store.newest.id, delaysMs.shift()),
    read: (id) => {
      calls.push('read');
      const kept = id === store.newest.id ? store.newest : older;
      return after(id === store.gone ? null : kept, delaysMs.shift());
    },
    onChange: (listener) => (tellChange = listener),
    depth: async () => store.depth,
    clearBrowserCache: async () => {},
    blockUrls: async () => {},
    urlWithoutAccess: access,
    forget: never,
    setDepth: never,
    allowSite: never,
  };
  followLoads(
    connection,
    () => state,
    (change) => (state = change(state)),
    (error) => expect.unreachable(String(error)),
  );
  return {
    stateOf: () => state,
    calls,
    update: (change: (before: PanelState) => PanelState) => void (state = change(state)),
    change: (load: Load) => {
      store.newest = load;
      tellChange([load.id]);
    },
    chooseDepth: (depth: EvidenceDepth) => {
      store.depth = depth;
      state = { ...state, depth };
    },
    /** The newest loads of the store, newest first. */
    keep: (...loads: [Load, ...Load[]]) => {
      [store.newest] = loads;
      store.heads = loads.map((load) => ({ ...load, resourceCount: 1 }));
      tellChange([]);
    },
    /** The store finds out that a load belongs to another one. */
    lose: (id: string) => {
      store.gone = id;
      tellChange([id]);
    },
  };
}

test('a slow read of an older load does not replace the newer displayed load', async () => {
  const { stateOf, change } = followed([2000], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  change(newer);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['newer']);
});

test('a load is read before the heads, and a slow read is followed by a rest of its length', async () => {
  const { change, calls } = followed([0, 600], async () => null);
  await vi.advanceTimersByTimeAsync(300);
  change({ ...older, warnings: ['told later'] });
  // The read lasts from 150 to 750 ms.
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toEqual(['read', 'heads']);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toEqual(['read', 'heads', 'read', 'heads']);
});

test('a depth that the user chooses during the read stays', async () => {
  const { stateOf, chooseDepth } = followed([2000], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  chooseDepth('webRequest');
  await vi.advanceTimersByTimeAsync(5000);
  expect(stateOf().depth).toBe('webRequest');
});

test('a change that is reported while the load is read is displayed', async () => {
  const { stateOf, change } = followed([0, 2000], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  change({ ...older, warnings: ['told later'] });
  await vi.advanceTimersByTimeAsync(5000);
  expect(stateOf().log[0]?.warnings).toEqual(['told later']);
});

test.each([
  ['cleared the view', clearView, []],
  ['chose another load', showLoad({ ...older, id: 'chosen' }), ['chosen']],
] as const)(
  'a load that grows is not displayed again when the user %s during the read',
  async (_, choose, ids) => {
    const { stateOf, change, update } = followed([0, 0, 0, 2000], async () => null);
    await vi.advanceTimersByTimeAsync(1000);
    change({ ...older, warnings: ['told later'] });
    await vi.advanceTimersByTimeAsync(1000);
    update(choose);
    await vi.advanceTimersByTimeAsync(5000);
    expect(stateOf().log.map(({ id }) => id)).toEqual(ids);
  },
);

test('a pinned load grows, displayed or not', async () => {
  const { stateOf, change, update } = followed([], async () => null);
  const pinnedWarnings = () =>
    [stateOf().before, stateOf().after].map((each) => each?.load.warnings);
  await vi.advanceTimersByTimeAsync(1000);
  update(pinShown);
  change({ ...older, warnings: ['told later'] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(pinnedWarnings()).toEqual([['told later'], undefined]);
  update(showLoad({ ...older, id: 'chosen' }));
  update(pinShown);
  change({ ...older, warnings: ['told last'] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(pinnedWarnings()).toEqual([['told last'], []]);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['chosen']);
});

test('when the newest load is deleted, the one before it is not displayed', async () => {
  const { stateOf, keep, update } = followed([], async () => null);
  keep(newer, older);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['newer']);
  update(clearView);
  keep(older);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log).toEqual([]);
  keep({ ...older, id: 'newest' }, older);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['newest']);
});

test('a provisional load that another one replaced leaves a preserved log', async () => {
  const { stateOf, update, lose } = followed([], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  update(showLog([{ ...older, id: 'provisional' }, older]));
  lose('provisional');
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['older']);
});

test('errors in a chosen file stay in view while the page goes on', async () => {
  const { stateOf, change, update } = followed([], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  update((state) => ({ ...state, problems: ['broken.har: no entries'] }));
  change({ ...older, warnings: ['told later'] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log[0]?.warnings).toEqual(['told later']);
  expect(stateOf().problems).toHaveLength(1);
  update(followLoad({ ...older, id: 'next' }));
  expect(stateOf().problems).toEqual([]);
  update((state) => ({ ...state, problems: ['broken.har: no entries'] }));
  update(showLoad(older));
  expect(stateOf().problems).toEqual([]);
});

test('a page that never answers hides no load', async () => {
  const { stateOf } = followed([], () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().log.map(({ id }) => id)).toEqual(['older']);
});

test('the URL of a page whose site was not granted is shown', async () => {
  const { stateOf } = followed([], async () => 'https://a.example/');
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().urlWithoutAccess).toBe('https://a.example/');
});

test('a load that grows makes a new list of loads, so that lookups in them are repeated', async () => {
  const { stateOf, change } = followed([], async () => null);
  await vi.advanceTimersByTimeAsync(1000);
  const { heads } = stateOf();
  change({ ...older, warnings: ['told later'] });
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateOf().heads).not.toBe(heads);
});
