import type { PageBatch } from '@cachescope/model/load/page-batch.ts';
import type { WatchAnswer, WatchRequest } from '@cachescope/model/load/watch-message.ts';
import { expect, test, vi } from 'vitest';
import { extensionUrl } from '../fake-browser/chrome.ts';
import { FakeEvent } from '../fake-browser/chrome-event.ts';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { database } from '../loads/load-database.ts';
import { listenToRequests } from './watch-requests.ts';

const tabId = 7;
const panel = { url: `${extensionUrl}panel.html` };
const page = { url: 'https://example.test/', tab: { id: tabId }, frameId: 0, documentId: 'D' };

function listening() {
  const process = startExtensionProcess();
  const { chrome, quiet } = process;
  const watches = listenToRequests();
  return {
    ...process,
    watches,
    /** Sends a message as `sender`, and returns the answer; undefined when there is none. */
    ask: async (request: WatchRequest | object, sender: object = panel) => {
      const respond = vi.fn<(answer: WatchAnswer) => void>();
      chrome.runtime.onMessage.emit(request, sender, respond);
      await quiet();
      return respond.mock.calls[0]?.[0];
    },
    /** Opens a port, and returns a function that disconnects it. */
    connect: (name: string, sender: object = panel) => {
      const onDisconnect = new FakeEvent();
      chrome.runtime.onConnect.emit({ name, sender, onDisconnect });
      return () => void onDisconnect.emit();
    },
    documents: async () => (await database()).getAll('documents'),
    observations: async () => (await database()).getAll('observations'),
  };
}

function batch(more: Partial<PageBatch> = {}): PageBatch {
  const use = { index: 0, atMs: 20, isPreload: false, hasServiceWorker: false };
  return {
    url: 'https://example.test/',
    timeOriginMs: Date.now(),
    activationStartMs: 0,
    navigationType: 'navigate',
    domContentLoadedMs: null,
    loadMs: null,
    droppedEntries: 0,
    restoredAtMs: null,
    uses: [
      { ...use, url: 'https://example.test/a.js', timing: { startTime: 20, duration: 5 } },
      { ...use, index: 1, url: 'data:,', timing: null, tag: 'img' },
    ],
    ...more,
  };
}

test('a document learns whether its own tab is watched', async () => {
  const { ask } = listening();
  expect(await ask({ type: 'is-watched' }, page)).toEqual({ done: true, isWatched: false });
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  expect(await ask({ type: 'is-watched' }, page)).toEqual({ done: true, isWatched: true });
  const other = { ...page, tab: { id: 8 } };
  expect(await ask({ type: 'is-watched' }, other)).toEqual({ done: true, isWatched: false });
});

test.each([
  { type: 'set-depth', tabId, depth: 'page' },
  { type: 'devtools-batch', observations: [] },
  { type: 'devtools-navigated', tabId, url: 'https://example.test/', startedAtMs: 0 },
])('a page may not send $type', async (request) => {
  const { ask, watches } = listening();
  const looksLikeOurs = { ...page, url: `https://example.test/${extensionUrl}` };
  for (const sender of [page, looksLikeOurs, {}])
    expect(await ask(request, sender)).toEqual({
      error: 'only the extension’s own pages may ask for this',
    });
  expect(await watches.depthOf(tabId)).toBeNull();
});

test('an unknown or malformed message gets no answer', async () => {
  const { ask } = listening();
  expect(await ask({ type: 'loads-changed', ids: [] })).toBeUndefined();
  expect(await ask({ type: 'set-depth', tabId, depth: 'x-ray' })).toBeUndefined();
});

test('a depth that cannot be set is refused with the reason', async () => {
  const { ask, chrome } = listening();
  chrome.debugger?.attach.mockRejectedValue(new Error('taken'));
  const answer = await ask({ type: 'set-depth', tabId, depth: 'debugger' });
  expect(answer).toEqual({ error: 'Error: taken' });
});

test('a batch that is sent twice is stored once', async () => {
  const { ask, documents, observations } = listening();
  const request = { type: 'page-batch', batch: batch({ restoredAtMs: 900 }) };
  expect(await ask(request, page)).toEqual({ done: true });
  const first = [await documents(), await observations()] as const;
  expect(first[0].map(({ id }) => id)).toEqual(['D', 'D 900']);
  expect(first[1]).toHaveLength(3);
  await ask(request, page);
  expect([await documents(), await observations()]).toEqual(first);
});

test('a batch of a frame starts no load', async () => {
  const { ask, documents, observations } = listening();
  await ask({ type: 'page-batch', batch: batch() }, { ...page, frameId: 3, documentId: 'F' });
  expect(await documents()).toEqual([]);
  expect(await observations()).toMatchObject([{ context: 'frame' }, { context: 'frame' }]);
});

test('a batch of a document that the tab has left starts its load, although Chromium names it as a frame', async () => {
  const { ask, documents, observations } = listening();
  const left = { ...page, frameId: 5, documentId: 'L' };
  const send = (isTop: boolean, documentLifecycle: string, documentId: string) =>
    ask(
      { type: 'page-batch', batch: batch({ isTop }) },
      { ...left, documentLifecycle, documentId },
    );
  await send(true, 'cached', 'kept');
  await send(true, 'pending_deletion', 'ended');
  expect((await documents()).map(({ id }) => id).toSorted()).toEqual(['ended', 'kept']);
  expect(new Set((await observations()).map(({ context }) => context))).toEqual(
    new Set(['document']),
  );
  // A frame of such a document, and a fenced frame, which has no document above it.
  await send(false, 'cached', 'frame');
  await send(true, 'active', 'fenced');
  expect(await documents()).toHaveLength(2);
});

test('a batch without a document is refused', async () => {
  const { ask, observations } = listening();
  const { tab: _, ...nowhere } = page;
  expect(await ask({ type: 'page-batch', batch: batch() }, nowhere)).toEqual({
    error: 'Error: the batch names no document',
  });
  expect(await observations()).toEqual([]);
});

test('the batch of a page that left before it knew is stored if its tab was watched when the page started', async () => {
  const { ask, documents, pass } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  await pass(100);
  await ask({ type: 'set-depth', tabId, depth: null });
  const watched = batch({ mayBeUnwatched: true, timeOriginMs: Date.now() - 50 });
  await pass(1000);
  const unwatched = batch({ mayBeUnwatched: true, timeOriginMs: Date.now() - 50 });
  await ask({ type: 'page-batch', batch: unwatched }, { ...page, documentId: 'late' });
  expect(await documents()).toEqual([]);
  await ask({ type: 'page-batch', batch: watched }, page);
  expect(await documents()).toHaveLength(1);
});

test('a document that is restored after recording was stopped is not a load', async () => {
  const { ask, documents, observations, pass } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  const timeOriginMs = Date.now();
  await pass(1000);
  const restored = (restoredAtMs: number) =>
    batch({ mayBeUnwatched: true, timeOriginMs, restoredAtMs });
  await ask({ type: 'page-batch', batch: restored(500) }, page);
  await ask({ type: 'set-depth', tabId, depth: null });
  const before = { documents: await documents(), observations: await observations() };
  expect(before.documents).toHaveLength(2);
  await ask({ type: 'page-batch', batch: restored(1500) }, page);
  expect({ documents: await documents(), observations: await observations() }).toEqual(before);
});

test('changed loads are announced together', async () => {
  const { ask, chrome, pass } = listening();
  await ask({ type: 'page-batch', batch: batch() }, page);
  await ask({ type: 'page-batch', batch: batch() }, { ...page, documentId: 'E' });
  await pass(199);
  expect(chrome.runtime.sendMessage).not.toHaveBeenCalled();
  await pass(1);
  expect(chrome.runtime.sendMessage.mock.calls).toEqual([
    [{ type: 'loads-changed', ids: ['D', 'E'] }],
  ]);
  expect(chrome.runtime.sendMessage).toHaveBeenCalledOnce();
  // Once more after 10 s: from then on missing evidence counts for the last uses too.
  await pass(60_000);
  expect(chrome.runtime.sendMessage).toHaveBeenCalledTimes(2);
  expect(chrome.runtime.sendMessage).toHaveBeenLastCalledWith({
    type: 'loads-changed',
    ids: expect.arrayContaining(['D', 'E']),
  });
});

const toldByDevtools = {
  witness: 'devtools',
  key: 'devtools 1',
  tabId,
  url: 'https://example.test/a.js',
  startedAtMs: 0,
  endedAtMs: 1,
  context: 'unknown',
  facts: {},
  evidence: { status: 200, transferSize: null, fetchedViaServiceWorker: false },
};

test('DevTools observations are stored only for its own tab and only while that tab is watched', async () => {
  const { ask, observations } = listening();
  const told = toldByDevtools;
  const batchOfTwo = [told, { ...told, key: 'devtools 2', tabId: 8 }];
  await ask({ type: 'devtools-batch', observations: batchOfTwo });
  expect(await observations()).toEqual([]);
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  await ask({ type: 'devtools-batch', observations: batchOfTwo });
  expect(await observations()).toEqual([told]);
});

test('what DevTools reports after recording was stopped is stored if the request began before', async () => {
  const { ask, connect, observations, pass, quiet } = listening();
  connect(`devtools-${tabId}`);
  await quiet();
  await pass(100);
  await ask({ type: 'set-depth', tabId, depth: null });
  const stoppedMs = Date.now();
  await pass(1000);
  const told = (key: string, startedAtMs: number) => ({
    ...toldByDevtools,
    key,
    startedAtMs,
    endedAtMs: startedAtMs,
  });
  const both = [told('before', stoppedMs - 10), told('after', stoppedMs + 10)];
  await ask({ type: 'devtools-batch', observations: both });
  expect((await observations()).map(({ key }) => key)).toEqual(['before']);
});

test('a closed tab is not watched any more', async () => {
  const { ask, watches, chrome, quiet } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'debugger' });
  chrome.tabs.onRemoved.emit(tabId);
  await quiet();
  expect(await watches.depthOf(tabId)).toBeNull();
  expect(chrome.debugger?.detach).toHaveBeenCalledOnce();
});

test('a document that only DevTools reported becomes a provisional load', async () => {
  const { ask, documents, pass, chrome } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  chrome.permissions.contains.mockResolvedValue(false);
  const startedAtMs = Date.now();
  const url = 'https://elsewhere.test/';
  await ask({ type: 'devtools-navigated', tabId, url, startedAtMs });
  await pass(1499);
  expect(await documents()).toEqual([]);
  await pass(1);
  expect(await documents()).toMatchObject([
    { id: `devtools ${tabId} ${startedAtMs}`, url, isProvisional: true },
  ]);
});

test('each of two quick navigations that only DevTools sees has a load', async () => {
  const { ask, documents, pass, chrome } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  chrome.permissions.contains.mockResolvedValue(false);
  const went = Date.now();
  const at = (path: string, startedAtMs: number) => {
    const url = `https://elsewhere.test${path}`;
    return ask({ type: 'devtools-navigated', tabId, url, startedAtMs });
  };
  await at('/', went);
  await pass(800);
  await at('/home', went + 800);
  await pass(5000);
  expect((await documents()).map(({ url }) => url).toSorted()).toEqual([
    'https://elsewhere.test/',
    'https://elsewhere.test/home',
  ]);
});

test('a document that reports itself needs no provisional load, and replaces one', async () => {
  const { ask, documents, pass } = listening();
  await ask({ type: 'set-depth', tabId, depth: 'page' });
  const startedAtMs = Date.now();
  const url = 'https://example.test/';
  await ask({ type: 'devtools-navigated', tabId, url, startedAtMs });
  const own = { type: 'page-batch', batch: batch({ timeOriginMs: startedAtMs + 100 }) };
  await pass(5000);
  await ask(own, page);
  await pass(10_000);
  expect(await documents()).toMatchObject([{ id: 'D' }]);
  // A report after the provisional load.
  await ask({ type: 'devtools-navigated', tabId, url, startedAtMs: Date.now() });
  const late = batch({ timeOriginMs: Date.now() + 100 });
  await pass(6000);
  expect((await documents()).at(-1)).toMatchObject({ isProvisional: true });
  await ask({ type: 'page-batch', batch: late }, { ...page, documentId: 'E' });
  expect((await documents()).map(({ id }) => id)).toEqual(['D', 'E']);
});

test('a DevTools page watches its tab until its port disconnects without a new connection', async () => {
  const { connect, watches, pass, quiet } = listening();
  const breakPort = connect(`devtools-${tabId}`);
  await quiet();
  expect(await watches.depthOf(tabId)).toBe('page');
  breakPort();
  await pass(2000);
  // The service worker was stopped, for example, and the page connects again.
  const breakAgain = connect(`devtools-${tabId}`);
  await pass(10_000);
  expect(await watches.depthOf(tabId)).toBe('page');
  breakAgain();
  await pass(3000);
  expect(await watches.depthOf(tabId)).toBeNull();
});

test('a web page cannot pose as a DevTools page', async () => {
  const { connect, watches, quiet } = listening();
  connect(`devtools-${tabId}`, page);
  connect('other');
  await quiet();
  expect(await watches.depthOf(tabId)).toBeNull();
});
