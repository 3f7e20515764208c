import { expect, test, vi } from 'vitest';
import type { FakeChrome } from '../fake-browser/chrome.ts';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { willBeSent } from '../fake-browser/network-events.ts';
import { database } from '../loads/load-database.ts';
import { Watches } from './watch.ts';

const tabId = 7;

/** The watches of a browser that has started; `permissions` are those with which the extension was loaded. */
async function begun(permissions: { webRequest: boolean } = { webRequest: true }) {
  const process = startExtensionProcess();
  const { chrome, pass, quiet } = process;
  if (!permissions.webRequest) chrome.webRequest = undefined;
  const watches = new Watches(vi.fn());
  await quiet();
  const kept = async (tab = tabId) => {
    await quiet();
    return (await (await database()).getAll('watches')).filter((each) => each.tabId === tab);
  };
  return {
    ...process,
    watches,
    kept,
    open: async (tab = tabId) =>
      (await kept(tab)).filter(({ toMs }) => toMs === null).map(({ depth }) => depth),
    observations: async () => {
      await pass(250);
      return (await database()).getAll('observations');
    },
  };
}

function listeners(chrome: FakeChrome): number {
  return Object.values(chrome.webRequest ?? {}).reduce((sum, each) => sum + each.listenerCount, 0);
}

/** Emits a script request of the tab from chrome.webRequest. */
function request(chrome: FakeChrome, requestId: string, tab = tabId): void {
  const url = `https://example.test/${requestId}.js`;
  const more = { tabId: tab, timeStamp: Date.now(), type: 'script', method: 'GET' };
  chrome.webRequest?.onBeforeRequest.emit({ requestId, url, ...more });
}

test('a tab has no depth until one is set', async () => {
  const { watches, open, chrome } = await begun();
  expect(await watches.depthOf(tabId)).toBeNull();
  expect(await open()).toEqual([]);
  expect(listeners(chrome)).toBe(0);
});

test('at page depth the frames of the tab are told to watch, and then to stop', async () => {
  const { watches, open, kept, chrome, pass } = await begun();
  const fromMs = Date.now();
  await watches.setDepth(tabId, 'page');
  expect(await open()).toEqual(['page']);
  expect(chrome.tabs.sendMessage.mock.calls).toEqual([[tabId, { type: 'watch' }]]);
  await pass(1000);
  await watches.setDepth(tabId, null);
  expect(chrome.tabs.sendMessage.mock.calls.at(-1)).toEqual([tabId, { type: 'unwatch' }]);
  expect(await kept()).toMatchObject([{ depth: 'page', fromMs, toMs: fromMs + 1000 }]);
  expect(await watches.depthOf(tabId)).toBeNull();
});

test('setting the depth that a tab already has does nothing', async () => {
  const { watches, kept, chrome } = await begun();
  await watches.setDepth(tabId, null);
  expect(await kept()).toEqual([]);
  await watches.setDepth(tabId, 'webRequest');
  await watches.setDepth(tabId, 'webRequest');
  expect(await kept()).toHaveLength(2);
  expect(chrome.tabs.sendMessage).toHaveBeenCalledOnce();
});

test('the depths webRequest and debugger include page depth', async () => {
  const { watches, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  expect(await open()).toEqual(['page', 'webRequest']);
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page', 'webRequest']);
  await watches.setDepth(tabId, 'page');
  expect(await open()).toEqual(['page']);
});

test('without the webRequest permission, depth debugger has only the debugger as a witness', async () => {
  const { watches, open, chrome } = await begun({ webRequest: false });
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page']);
  await watches.setDepth(tabId, null);
  expect([await open(), await watches.depthOf(tabId)]).toEqual([[], null]);
  expect(chrome.tabs.sendMessage.mock.calls.at(-1)).toEqual([tabId, { type: 'unwatch' }]);
});

test('a change from webRequest to debugger keeps the permission, and both are witnesses', async () => {
  const { watches, chrome, observations } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  await watches.setDepth(tabId, 'debugger');
  expect(chrome.permissions.remove).not.toHaveBeenCalled();
  request(chrome, 'a');
  expect(await observations()).toHaveLength(1);
  await watches.setDepth(tabId, null);
  expect(listeners(chrome)).toBe(0);
  expect(chrome.permissions.remove).toHaveBeenCalledOnce();
});

test('a watch begins when the events of its tab are kept', async () => {
  const { watches, chrome, kept, observations, pass } = await begun();
  const set = chrome.storage.session.set;
  chrome.storage.session.set = async (values) => {
    await pass(20);
    request(chrome, 'early');
    await pass(20);
    return set(values);
  };
  await watches.setDepth(tabId, 'webRequest');
  const setAtMs = Date.now();
  request(chrome, 'later');
  const urls = (await observations()).map(({ url }) => url);
  expect(urls).toContain('https://example.test/later.js');
  const [spanFromMs] = (await kept())
    .filter(({ depth }) => depth === 'webRequest')
    .map(({ fromMs }) => fromMs);
  expect(spanFromMs).toBe(setAtMs);
});

test('concurrent changes of depth are made in order', async () => {
  const { watches, open } = await begun();
  await Promise.all([
    watches.setDepth(tabId, 'debugger'),
    watches.setDepth(tabId, null),
    watches.setDepth(tabId, 'webRequest'),
    watches.setDepth(8, 'page'),
  ]);
  expect(await watches.depthOf(tabId)).toBe('webRequest');
  expect(await open()).toEqual(['page', 'webRequest']);
  expect(await open(8)).toEqual(['page']);
});

test('webRequest has listeners while a tab needs it, and its permission is removed afterwards', async () => {
  const { watches, chrome, observations } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  await watches.setDepth(8, 'webRequest');
  request(chrome, 'a');
  request(chrome, 'b', 9);
  request(chrome, 'c', -1);
  expect(
    (await observations()).map((each) => each.tabId).toSorted((one, other) => one - other),
  ).toEqual([-1, tabId]);
  await watches.setDepth(tabId, 'page');
  expect(listeners(chrome)).toBe(4);
  expect(chrome.permissions.remove).not.toHaveBeenCalled();
  request(chrome, 'd');
  expect(await observations()).toHaveLength(2);
  await watches.setDepth(8, null);
  expect(listeners(chrome)).toBe(0);
  expect(chrome.permissions.remove).toHaveBeenCalledExactlyOnceWith({
    permissions: ['webRequest'],
  });
});

test('depth webRequest without its permission is refused, and the tab keeps its depth', async () => {
  const { watches, open } = await begun({ webRequest: false });
  await watches.setDepth(tabId, 'page');
  await expect(watches.setDepth(tabId, 'webRequest')).rejects.toThrow('has not been granted');
  expect(await watches.depthOf(tabId)).toBe('page');
  expect(await open()).toEqual(['page']);
});

test('a webRequest permission granted after the extension was loaded needs a reload first', async () => {
  const { watches, chrome, open } = await begun({ webRequest: false });
  chrome.webRequest = undefined;
  Object.assign(chrome, { webRequest: { onBeforeRequest: null } });
  await expect(watches.setDepth(tabId, 'webRequest')).rejects.toThrow(
    'takes effect only after a reload',
  );
  expect(await open()).toEqual([]);
});

test('after a refused depth the next one is set', async () => {
  const { watches, chrome, open } = await begun();
  chrome.debugger?.attach.mockRejectedValueOnce(new Error('taken'));
  await expect(watches.setDepth(tabId, 'debugger')).rejects.toThrow('taken');
  expect(await open()).toEqual([]);
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page', 'webRequest']);
});

test('a tab that leaves webRequest for a debugger that cannot attach leaves webRequest anyway', async () => {
  const { watches, chrome, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  chrome.debugger?.attach.mockRejectedValueOnce(new Error('taken'));
  await expect(watches.setDepth(tabId, 'debugger')).rejects.toThrow('taken');
  expect(await watches.depthOf(tabId)).toBe('page');
  expect(await open()).toEqual(['page']);
  expect(listeners(chrome)).toBe(0);
  expect(chrome.permissions.remove).toHaveBeenCalledOnce();
});

test('after the user detaches the debugger the tab is at page depth', async () => {
  const { watches, chrome, open, quiet } = await begun();
  await watches.setDepth(tabId, 'debugger');
  chrome.debugger?.onDetach.emit({ tabId }, 'canceled_by_user');
  await quiet();
  expect(await watches.depthOf(tabId)).toBe('page');
  expect(await open()).toEqual(['page']);
});

test('a debugger that ends while another depth is being set does not overwrite it', async () => {
  const { watches, chrome, open } = await begun();
  await watches.setDepth(tabId, 'debugger');
  const change = watches.setDepth(tabId, null);
  chrome.debugger?.onDetach.emit({ tabId }, 'target_closed');
  await change;
  expect(await open()).toEqual([]);
  expect(await watches.depthOf(tabId)).toBeNull();
});

test('DevTools watches its tab at page depth until it is closed', async () => {
  const { watches, open } = await begun();
  await watches.devtools(tabId, true);
  expect(await open()).toEqual(['devtools', 'page']);
  await watches.devtools(tabId, false);
  expect(await open()).toEqual([]);
  expect(await watches.depthOf(tabId)).toBeNull();
});

test('a depth set before DevTools opened is kept', async () => {
  const { watches, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  await watches.devtools(tabId, true);
  expect(await open()).toEqual(['devtools', 'page', 'webRequest']);
});

test('a tab that the user stopped recording stays unwatched after a restart of the service worker', async () => {
  const { watches, open, stop, quiet } = await begun();
  await watches.devtools(tabId, true);
  await watches.setDepth(tabId, null);
  stop();
  const again = new Watches(vi.fn());
  await again.devtools(tabId, true);
  await quiet();
  expect(await again.depthOf(tabId)).toBeNull();
  expect(await open()).toEqual(['devtools']);
});

test('after a restart of the service worker a watch has a gap from the last complete moment until now', async () => {
  const { watches, kept, open, pass, stop, quiet } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  const fromMs = Date.now();
  await pass(30_000);
  await watches.noteObservedUntil();
  await pass(60_000);
  stop();
  const again = new Watches(vi.fn());
  await quiet();
  expect(await again.depthOf(tabId)).toBe('webRequest');
  expect(await open()).toEqual(['page', 'webRequest']);
  const spans = (await kept()).filter(({ depth }) => depth === 'webRequest');
  // Events of 10 s ago would have been received.
  expect(spans.map((each) => [each.fromMs, each.toMs])).toEqual([
    [fromMs, fromMs + 20_000],
    [fromMs + 90_000, null],
  ]);
});

test('without a noted time before the restart, the watch has length 0', async () => {
  const { watches, kept, pass, stop, quiet } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  const fromMs = Date.now();
  await pass(5_000);
  stop();
  expect(new Watches(vi.fn())).toBeDefined();
  await quiet();
  const first = (await kept()).find(({ depth }) => depth === 'webRequest');
  expect(first).toMatchObject({ fromMs, toMs: fromMs });
});

test('after a restart the webRequest listeners are added at once, and removed if no tab needs them', async () => {
  const { watches, chrome, stop, quiet, observations } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  stop();
  const again = new Watches(vi.fn());
  request(chrome, 'early');
  expect(await observations()).toHaveLength(1);
  await again.setDepth(tabId, null);
  stop();
  expect(new Watches(vi.fn())).toBeDefined();
  await quiet();
  expect(listeners(chrome)).toBe(0);
});

test('the time up to which each witness is complete is noted, and excludes observations not stored yet', async () => {
  const { watches, chrome, pass, quiet } = await begun();
  await watches.setDepth(tabId, 'debugger');
  const tell = (method: string, event: object) =>
    void chrome.debugger?.onEvent.emit({ tabId }, method, event);
  const noted = async () => {
    await watches.noteObservedUntil();
    return (await chrome.storage.session.get('observedUntil'))['observedUntil'];
  };
  tell('Network.requestWillBeSent', willBeSent('https://example.test/'));
  expect(await noted()).toMatchObject({ debugger: Number.NEGATIVE_INFINITY });
  await pass(250);
  await quiet();
  const startedAtMs = willBeSent('https://example.test/').wallTime * 1000;
  expect(await noted()).toEqual({ debugger: startedAtMs, webRequest: Date.now() - 10_000 });
});

test.each(['webRequest', 'debugger'] as const)(
  'while the page loads, what %s reports without a pause is not stored until it has loaded',
  async (depth) => {
    const { watches, chrome, pass } = await begun();
    await watches.setDepth(tabId, depth);
    chrome.tabs.query.mockImplementation(async () => [{ id: tabId }]);
    const stored = async () => (await database()).count('observations');
    const report = async (count: number) => {
      for (let index = 0; index < count; index++) {
        request(chrome, `${index}`);
        chrome.debugger?.onEvent.emit(
          { tabId },
          'Network.requestWillBeSent',
          willBeSent(`https://example.test/${index}`),
        );
        await pass(100);
      }
    };
    await report(50);
    expect(await stored()).toBe(0);
    // Another tab that loads does not matter.
    chrome.tabs.query.mockImplementation(async () => [{ id: 8 }]);
    await report(3);
    expect(await stored()).toBeGreaterThan(0);
  },
);

test('a new browser session ends the watches that the last one left open', async () => {
  const { watches, kept, open, chrome, stop, pass, quiet } = await begun();
  await watches.setDepth(tabId, 'page');
  await pass(1000);
  stop();
  // chrome.storage.session is cleared when the browser exits.
  await chrome.storage.session.set({ depths: undefined, hadWebRequest: undefined });
  const again = new Watches(vi.fn());
  await quiet();
  expect(await again.depthOf(tabId)).toBeNull();
  expect(await open()).toEqual([]);
  expect(await kept()).toMatchObject([{ toMs: Date.now() }]);
});
