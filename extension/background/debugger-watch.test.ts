import { lateMs } from '@cachescope/model/load/join-parts.ts';
import { expect, test, vi } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import {
  loadingFinished,
  responseExtraInfo,
  responseReceived,
  willBeSent,
} from '../fake-browser/network-events.ts';
import { database } from '../loads/load-database.ts';
import { DebuggerWatch } from './debugger-watch.ts';

const url = 'https://example.test/app.js';
const tabId = 7;

function started() {
  const process = startExtensionProcess();
  const ended = vi.fn();
  const stored = vi.fn();
  const watch = new DebuggerWatch(stored, ended);
  const { chrome, pass } = process;
  const commands = chrome.debugger!.sendCommand;
  return {
    ...process,
    watch,
    ended,
    stored,
    commands,
    tell: (method: string, event: object, source: object = { tabId }) =>
      void chrome.debugger?.onEvent.emit(source, method, event),
    observed: async () => {
      await pass(50);
      return (await database()).getAll('observations');
    },
  };
}

test('attaching turns on the network of the tab and of what it will run, and taking off ends it', async () => {
  const { chrome, watch, commands } = started();
  await watch.attach(tabId);
  expect(chrome.debugger?.attach).toHaveBeenCalledExactlyOnceWith({ tabId }, '1.3');
  expect(commands.mock.calls.map(([, method]) => method)).toEqual([
    'Network.enable',
    'Target.setAutoAttach',
    'Page.enable',
  ]);
  expect(commands).toHaveBeenCalledWith({ tabId }, 'Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
  });
  await watch.detach(tabId);
  expect(chrome.debugger?.detach).toHaveBeenCalledExactlyOnceWith({ tabId });
});

test('a tab whose debugger is taken says so', async () => {
  const { chrome, watch, commands } = started();
  const taken = 'Another debugger is already attached to the tab with id: 7.';
  chrome.debugger?.attach.mockRejectedValue(new Error(taken));
  await expect(watch.attach(tabId)).rejects.toThrow(taken);
  expect(commands).not.toHaveBeenCalled();
});

test('a tab that is attached and does not obey is let go', async () => {
  const { chrome, watch, commands } = started();
  commands.mockRejectedValue(new Error('Target closed'));
  await expect(watch.attach(tabId)).rejects.toThrow('Target closed');
  expect(chrome.debugger?.detach).toHaveBeenCalledExactlyOnceWith({ tabId });
});

test('the build without the permission says which build has it', async () => {
  const { chrome } = started();
  chrome.debugger = undefined;
  const watch = new DebuggerWatch(vi.fn(), vi.fn());
  await expect(watch.attach(tabId)).rejects.toThrow('has no debugger permission');
  await watch.detach(tabId);
});

test.each([
  ['before', ['extra', 'response', 'finished']],
  ['between', ['response', 'extra', 'finished']],
  ['after', ['response', 'finished', 'extra']],
])('the status on the network may come %s the end', async (_, order) => {
  const { tell, observed } = started();
  const events: Record<string, () => void> = {
    extra: () => tell('Network.responseReceivedExtraInfo', responseExtraInfo(304)),
    response: () => tell('Network.responseReceived', responseReceived()),
    finished: () => tell('Network.loadingFinished', loadingFinished(120)),
  };
  tell('Network.requestWillBeSent', willBeSent(url));
  for (const name of order) events[name]?.();
  expect(await observed()).toMatchObject([
    { url, tabId, evidence: { status: 200, extraInfoStatus: 304, encodedDataLength: 120 } },
  ]);
});

test('what comes late still counts after the request was stored, and 10 s after its end it is forgotten', async () => {
  const { tell, observed, pass } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  tell('Network.responseReceived', responseReceived());
  tell('Network.loadingFinished', loadingFinished(120));
  await pass(9_000);
  tell('Network.responseReceivedExtraInfo', responseExtraInfo(304));
  expect(await observed()).toMatchObject([{ evidence: { extraInfoStatus: 304 } }]);
  await pass(1_000);
  tell('Network.responseReceivedExtraInfo', responseExtraInfo(200));
  expect(await observed()).toMatchObject([{ evidence: { extraInfoStatus: 304 } }]);
});

test('a request without an answer yet is stored too', async () => {
  const { tell, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(await observed()).toMatchObject([{ url, evidence: null, endedAtMs: null }]);
});

test('the same request number in two tabs is two requests', async () => {
  const { tell, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  tell('Network.requestWillBeSent', willBeSent(url), { tabId: 8 });
  expect((await observed()).map((each) => each.tabId)).toEqual([7, 8]);
});

test('a worker that waits for the debugger is let run, and its requests are told as its own', async () => {
  const { tell, observed, commands } = started();
  const session = { tabId, sessionId: 'S' };
  tell('Target.attachedToTarget', { sessionId: 'S', targetInfo: { type: 'service_worker' } });
  expect(commands.mock.calls.map(([source, method]) => [source, method])).toEqual([
    [session, 'Network.enable'],
    [session, 'Target.setAutoAttach'],
    [session, 'Runtime.runIfWaitingForDebugger'],
  ]);
  tell('Network.requestWillBeSent', willBeSent(url), session);
  expect(await observed()).toMatchObject([{ context: 'service-worker' }]);
});

test.each([
  ['worker', 'worker'],
  ['shared_worker', 'worker'],
  ['iframe', 'frame'],
  ['portal', 'unknown'],
])('a target %s is a %s', async (type, context) => {
  const { tell, observed } = started();
  tell('Target.attachedToTarget', { sessionId: 'S', targetInfo: { type } });
  tell('Network.requestWillBeSent', willBeSent(url), { tabId, sessionId: 'S' });
  expect(await observed()).toMatchObject([{ context }]);
});

test('a target that has gone before it could be watched changes nothing', async () => {
  const { tell, commands, observed } = started();
  commands.mockRejectedValue(new Error('Target closed'));
  tell('Target.attachedToTarget', { sessionId: 'S', targetInfo: { type: 'worker' } });
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(await observed()).toHaveLength(1);
});

test('when the user takes the debugger off, what was told is kept and the end is told on', async () => {
  const { chrome, tell, observed, ended } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  chrome.debugger?.onDetach.emit({ tabId }, 'canceled_by_user');
  expect(ended).toHaveBeenCalledExactlyOnceWith(tabId);
  expect(await observed()).toMatchObject([{ url }]);
});

test('taking it off stores at once what was told', async () => {
  const { tell, watch } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  await watch.detach(tabId);
  expect(await (await database()).count('observations')).toBe(1);
});

test('a request that was under way when the debugger was taken off does not go on when it is back', async () => {
  const { tell, watch, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  await watch.detach(tabId);
  tell('Network.responseReceived', responseReceived());
  expect(await observed()).toMatchObject([{ evidence: null }]);
});

test('a document from the back/forward cache is told as restored, and its frames are not', async () => {
  const { tell, observed } = started();
  const restored = { frame: { url: 'https://example.test/' }, type: 'BackForwardCacheRestore' };
  tell('Page.frameNavigated', { ...restored, type: 'Navigation' });
  tell('Page.frameNavigated', { ...restored, frame: { ...restored.frame, parentId: 'main' } });
  expect(await observed()).toEqual([]);
  tell('Page.frameNavigated', restored);
  expect(await observed()).toMatchObject([
    { url: 'https://example.test/', evidence: { isBackForwardRestore: true, status: 200 } },
  ]);
});

test('events wait until they are stored', async () => {
  const { tell, observed, watch } = started();
  expect(watch.toldUntilMs()).toBe(Date.now() - lateMs);
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(watch.toldUntilMs()).toBe(Number.NEGATIVE_INFINITY);
  const [stored] = await observed();
  expect(watch.toldUntilMs()).toBe(stored?.startedAtMs);
});

test('events that say nothing of a request, and those of no tab, are left', async () => {
  const { tell, observed } = started();
  tell('Network.resourceChangedPriority', { requestId: '1' });
  tell('Network.webSocketCreated', {});
  tell('Network.requestWillBeSent', willBeSent(url), { targetId: 'other' });
  expect(await observed()).toEqual([]);
});
