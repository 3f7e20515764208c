import { lateMs } from '@cachescope/model/load/load-span.ts';
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
  const watch = new DebuggerWatch(stored, ended, async () => false);
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
      await pass(250);
      return (await database()).getAll('observations');
    },
  };
}

test('attach enables the Network domain in the tab and in its future child targets, and detach ends it', async () => {
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

test('attach to a tab that already has a debugger is rejected with the reason', async () => {
  const { chrome, watch, commands } = started();
  const taken = 'Another debugger is already attached to the tab with id: 7.';
  chrome.debugger?.attach.mockRejectedValue(new Error(taken));
  await expect(watch.attach(tabId)).rejects.toThrow(taken);
  expect(commands).not.toHaveBeenCalled();
});

test('a tab that attaches but rejects a command is detached', async () => {
  const { chrome, watch, commands } = started();
  commands.mockRejectedValue(new Error('Target closed'));
  await expect(watch.attach(tabId)).rejects.toThrow('Target closed');
  expect(chrome.debugger?.detach).toHaveBeenCalledExactlyOnceWith({ tabId });
});

test('in the build without the debugger permission, attach names the build that has it', async () => {
  const { chrome } = started();
  chrome.debugger = undefined;
  const watch = new DebuggerWatch(vi.fn(), vi.fn(), async () => false);
  await expect(watch.attach(tabId)).rejects.toThrow('has no debugger permission');
  await watch.detach(tabId);
});

test.each([
  ['before', ['extra', 'response', 'finished']],
  ['between', ['response', 'extra', 'finished']],
  ['after', ['response', 'finished', 'extra']],
])('responseReceivedExtraInfo may arrive %s the end', async (_, order) => {
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

test('a late event updates the stored request until 10 s after its end', async () => {
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

test('a request without a response yet is stored too', async () => {
  const { tell, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(await observed()).toMatchObject([{ url, evidence: null, endedAtMs: null }]);
});

test('the last state of a request is kept when storage fails at an earlier one', async () => {
  const { tell, observed, pass } = started();
  vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
    throw new Error('disk full');
  });
  tell('Network.requestWillBeSent', willBeSent(url));
  await pass(250);
  tell('Network.responseReceived', responseReceived());
  tell('Network.loadingFinished', loadingFinished(120));
  await pass(500);
  expect(await observed()).toMatchObject([{ evidence: { encodedDataLength: 120 } }]);
});

test('an event that cannot be read loses no later request', async () => {
  const { tell, observed } = started();
  const unreadable = {
    ...willBeSent(url),
    get initiator(): never {
      throw new Error('cannot be read');
    },
  };
  tell('Network.requestWillBeSent', unreadable);
  await observed();
  tell('Network.requestWillBeSent', willBeSent(url), { tabId: 8 });
  expect((await observed()).map((each) => each.tabId)).toContain(8);
});

test('the same request id in two tabs is two requests', async () => {
  const { tell, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  tell('Network.requestWillBeSent', willBeSent(url), { tabId: 8 });
  expect((await observed()).map((each) => each.tabId)).toEqual([7, 8]);
});

test('a worker that waits for the debugger is resumed, and its requests get its context', async () => {
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
])('a target of type %s has context %s', async (type, context) => {
  const { tell, observed } = started();
  tell('Target.attachedToTarget', { sessionId: 'S', targetInfo: { type } });
  tell('Network.requestWillBeSent', willBeSent(url), { tabId, sessionId: 'S' });
  expect(await observed()).toMatchObject([{ context }]);
});

test('a target that closes before its Network domain is enabled changes nothing', async () => {
  const { tell, commands, observed } = started();
  commands.mockRejectedValue(new Error('Target closed'));
  tell('Target.attachedToTarget', { sessionId: 'S', targetInfo: { type: 'worker' } });
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(await observed()).toHaveLength(1);
});

test('when the user detaches the debugger, received requests are kept and the end is reported', async () => {
  const { chrome, tell, observed, ended } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  chrome.debugger?.onDetach.emit({ tabId }, 'canceled_by_user');
  expect(ended).toHaveBeenCalledExactlyOnceWith(tabId);
  expect(await observed()).toMatchObject([{ url }]);
});

test('detach stores received requests at once', async () => {
  const { tell, watch } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  await watch.detach(tabId);
  expect(await (await database()).count('observations')).toBe(1);
});

test('a request in flight at detach gets no further events after a new attach', async () => {
  const { tell, watch, observed } = started();
  tell('Network.requestWillBeSent', willBeSent(url));
  await watch.detach(tabId);
  tell('Network.responseReceived', responseReceived());
  expect(await observed()).toMatchObject([{ evidence: null }]);
});

test('a document from the back/forward cache is reported as restored, and its frames are not', async () => {
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

test('observedUntilMs does not pass events that are not stored yet', async () => {
  const { tell, observed, watch } = started();
  expect(watch.observedUntilMs()).toBe(Date.now() - lateMs);
  tell('Network.requestWillBeSent', willBeSent(url));
  expect(watch.observedUntilMs()).toBe(Number.NEGATIVE_INFINITY);
  const [stored] = await observed();
  expect(watch.observedUntilMs()).toBe(stored?.startedAtMs);
});

test('events that add nothing to a request, and events of no tab, are ignored', async () => {
  const { tell, observed } = started();
  tell('Network.resourceChangedPriority', { requestId: '1' });
  tell('Network.webSocketCreated', {});
  tell('Network.requestWillBeSent', willBeSent(url), { targetId: 'other' });
  expect(await observed()).toEqual([]);
});
