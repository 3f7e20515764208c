import { expect, test, vi } from 'vitest';
import type { FakeChrome } from '../fake-browser/chrome.ts';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { willBeSent } from '../fake-browser/network-events.ts';
import { database } from '../loads/load-database.ts';
import { Watches } from './watch.ts';

const tabId = 7;

/** The watches of a browser that has begun; `permissions` says which the extension was loaded with. */
async function begun(permissions: { webRequest: boolean } = { webRequest: true }) {
  const process = startExtensionProcess();
  const { chrome, quiet } = process;
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
      await quiet();
      return (await database()).getAll('observations');
    },
  };
}

function listeners(chrome: FakeChrome): number {
  return Object.values(chrome.webRequest ?? {}).reduce((sum, each) => sum + each.listenerCount, 0);
}

/** A script of the tab, as chrome.webRequest tells it. */
function request(chrome: FakeChrome, requestId: string, tab = tabId): void {
  const url = `https://example.test/${requestId}.js`;
  const more = { tabId: tab, timeStamp: Date.now(), type: 'script', method: 'GET' };
  chrome.webRequest?.onBeforeRequest.emit({ requestId, url, ...more });
}

test('a tab is watched at no depth until somebody asks', async () => {
  const { watches, open, chrome } = await begun();
  expect(await watches.depthOf(tabId)).toBeNull();
  expect(await open()).toEqual([]);
  expect(listeners(chrome)).toBe(0);
});

test('at page depth its frames are told to watch, and then to stop', async () => {
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

test('setting the depth that a tab has does nothing', async () => {
  const { watches, kept, chrome } = await begun();
  await watches.setDepth(tabId, null);
  expect(await kept()).toEqual([]);
  await watches.setDepth(tabId, 'webRequest');
  await watches.setDepth(tabId, 'webRequest');
  expect(await kept()).toHaveLength(2);
  expect(chrome.tabs.sendMessage).toHaveBeenCalledOnce();
});

test('every closer depth watches at page depth too', async () => {
  const { watches, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  expect(await open()).toEqual(['page', 'webRequest']);
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page', 'webRequest']);
  await watches.setDepth(tabId, 'page');
  expect(await open()).toEqual(['page']);
});

test('the debugger watches alone where webRequest has not been granted', async () => {
  const { watches, open } = await begun({ webRequest: false });
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page']);
});

test('from webRequest to the debugger the permission stays, and both tell', async () => {
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

test('changes that are asked for at once are made in that order', async () => {
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

test('webRequest is listened to while one tab needs it, and its permission given back after', async () => {
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

test('the depth webRequest without its permission is refused, and the tab stays as it was', async () => {
  const { watches, open } = await begun({ webRequest: false });
  await watches.setDepth(tabId, 'page');
  await expect(watches.setDepth(tabId, 'webRequest')).rejects.toThrow('has not been granted');
  expect(await watches.depthOf(tabId)).toBe('page');
  expect(await open()).toEqual(['page']);
});

test('webRequest that was granted since the extension was loaded needs a reload first', async () => {
  const { watches, chrome, open } = await begun({ webRequest: false });
  chrome.webRequest = undefined;
  Object.assign(chrome, { webRequest: { onBeforeRequest: null } });
  await expect(watches.setDepth(tabId, 'webRequest')).rejects.toThrow(
    'takes effect only after a reload',
  );
  expect(await open()).toEqual([]);
});

test('after a refused depth the next is set', async () => {
  const { watches, chrome, open } = await begun();
  chrome.debugger?.attach.mockRejectedValueOnce(new Error('taken'));
  await expect(watches.setDepth(tabId, 'debugger')).rejects.toThrow('taken');
  expect(await open()).toEqual([]);
  await watches.setDepth(tabId, 'debugger');
  expect(await open()).toEqual(['debugger', 'page', 'webRequest']);
});

test('a tab that leaves webRequest for a debugger that is taken leaves webRequest all the same', async () => {
  const { watches, chrome, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  chrome.debugger?.attach.mockRejectedValueOnce(new Error('taken'));
  await expect(watches.setDepth(tabId, 'debugger')).rejects.toThrow('taken');
  expect(await watches.depthOf(tabId)).toBe('page');
  expect(await open()).toEqual(['page']);
  expect(listeners(chrome)).toBe(0);
  expect(chrome.permissions.remove).toHaveBeenCalledOnce();
});

test('a debugger that the user takes off leaves the tab at page depth', async () => {
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

test('a depth that was chosen before DevTools opened stays', async () => {
  const { watches, open } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  await watches.devtools(tabId, true);
  expect(await open()).toEqual(['devtools', 'page', 'webRequest']);
});

test('a tab that the user does not record any more stays so when the service worker was stopped', async () => {
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

test('after a stop of the service worker nobody watched from the last moment of which it had stored all until now', async () => {
  const { watches, kept, open, pass, stop, quiet } = await begun();
  await watches.setDepth(tabId, 'webRequest');
  const fromMs = Date.now();
  await pass(30_000);
  await watches.noteTold();
  await pass(60_000);
  stop();
  const again = new Watches(vi.fn());
  await quiet();
  expect(await again.depthOf(tabId)).toBe('webRequest');
  expect(await open()).toEqual(['page', 'webRequest']);
  const spans = (await kept()).filter(({ depth }) => depth === 'webRequest');
  // What was 10 s ago would have been told.
  expect(spans.map((each) => [each.fromMs, each.toMs])).toEqual([
    [fromMs, fromMs + 20_000],
    [fromMs + 90_000, null],
  ]);
});

test('a service worker that noted nothing before its stop had watched for no time', async () => {
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

test('the listeners of webRequest are back at once after a stop, and only if a tab needs them', async () => {
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

test('it is noted until when each witness has told, and that what waits is not stored', async () => {
  const { watches, chrome, pass, quiet } = await begun();
  await watches.setDepth(tabId, 'debugger');
  const tell = (method: string, event: object) =>
    void chrome.debugger?.onEvent.emit({ tabId }, method, event);
  const noted = async () => {
    await watches.noteTold();
    return (await chrome.storage.session.get('toldUntil'))['toldUntil'];
  };
  tell('Network.requestWillBeSent', willBeSent('https://example.test/'));
  expect(await noted()).toMatchObject({ debugger: Number.NEGATIVE_INFINITY });
  await pass(50);
  await quiet();
  const startedAtMs = willBeSent('https://example.test/').wallTime * 1000;
  expect(await noted()).toEqual({ debugger: startedAtMs, webRequest: Date.now() - 10_000 });
});

test('a new browser ends the watches that the last one had left open', async () => {
  const { watches, kept, open, chrome, stop, pass, quiet } = await begun();
  await watches.setDepth(tabId, 'page');
  await pass(1000);
  stop();
  // The session's storage is gone with the browser.
  await chrome.storage.session.set({ depths: undefined, hadWebRequest: undefined });
  const again = new Watches(vi.fn());
  await quiet();
  expect(await again.depthOf(tabId)).toBeNull();
  expect(await open()).toEqual([]);
  expect(await kept()).toMatchObject([{ toMs: Date.now() }]);
});
