import { lateMs } from '@cachescope/model/load/load-span.ts';
import { expect, test, vi } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import type { FakeIndexedDb } from '../fake-browser/indexed-db.ts';
import { database } from '../loads/load-database.ts';
import { WebRequestWatch } from './web-request-watch.ts';

const url = 'https://example.test/app.js';
const watchedTab = 7;

/** A watch that has started, and the browser's side of it. Tab 7 is watched, and so are requests without a tab. */
function started() {
  const process = startExtensionProcess();
  const { chrome, pass } = process;
  const watched = new Set([watchedTab, -1]);
  const stored = vi.fn();
  const isWatched = vi.fn(async (tabId: number) => watched.has(tabId));
  let watch = new WebRequestWatch(isWatched, stored, async () => false);
  watch.start();
  type Kind = keyof NonNullable<typeof chrome.webRequest>;
  return {
    ...process,
    watched,
    isWatched,
    stored,
    get watch() {
      return watch;
    },
    tell: (kind: Kind, requestId: string, more: object = {}) => {
      const common = { url, tabId: watchedTab, timeStamp: 1000, type: 'script', method: 'GET' };
      chrome.webRequest?.[kind].emit({ requestId, ...common, ...more });
    },
    observed: async () => {
      await pass(250);
      return (await database()).getAll('observations');
    },
    /** Simulates that the browser stops the service worker and starts it again. */
    startAgain: () => {
      watch.stop();
      watch = new WebRequestWatch(isWatched, stored, async () => false);
      watch.start();
    },
  };
}

test('a watch that is started again hears each event once: a request that ends at once keeps its start', async () => {
  const { watch, tell, observed } = started();
  watch.start();
  // While it is stored, the events of the next one wait.
  tell('onBeforeRequest', '1');
  tell('onBeforeRequest', '2');
  tell('onCompleted', '2', { timeStamp: 1001, statusCode: 200 });
  const [, request] = await observed();
  expect(request).toMatchObject({ startedAtMs: 1000, endedAtMs: 1001 });
  expect(request).not.toHaveProperty('isStartUnknown');
});

test('a request is one observation, stored from its start and completed at its end', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1', { url: `${url}#part`, documentId: 'D' });
  const [begun] = await observed();
  expect(begun).toMatchObject({
    witness: 'webRequest',
    tabId: watchedTab,
    documentId: 'D',
    url,
    startedAtMs: 1000,
    endedAtMs: null,
    context: 'unknown',
    facts: { method: 'GET', type: 'script' },
    evidence: null,
  });
  tell('onCompleted', '1', {
    timeStamp: 1040,
    fromCache: true,
    statusCode: 200,
    responseHeaders: [
      { name: 'Content-Type', value: 'text/javascript; charset=utf-8' },
      { name: 'Content-Encoding', value: 'BR' },
    ],
  });
  expect(await observed()).toEqual([
    {
      ...begun,
      endedAtMs: 1040,
      facts: {
        method: 'GET',
        type: 'script',
        status: 200,
        mimeType: 'text/javascript',
        coding: 'br',
        responseHeaders: [
          ['content-type', 'text/javascript; charset=utf-8'],
          ['content-encoding', 'BR'],
        ],
      },
      evidence: { fromCache: true, statusCode: 200, requests: 1 },
    },
  ]);
});

test('redirects are folded into the final request', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1');
  tell('onBeforeRedirect', '1', { statusCode: 301, redirectUrl: 'https://example.test/b#x' });
  tell('onBeforeRequest', '1', { url: 'https://example.test/b', timeStamp: 1010 });
  tell('onBeforeRedirect', '1', {
    url: 'https://example.test/b',
    statusCode: 307,
    redirectUrl: 'https://example.test/c',
  });
  tell('onBeforeRequest', '1', { url: 'https://example.test/c', timeStamp: 1020 });
  tell('onCompleted', '1', { url: 'https://example.test/c', statusCode: 200, timeStamp: 1030 });
  expect(await observed()).toMatchObject([
    {
      url,
      finalUrl: 'https://example.test/c',
      redirects: [
        { url, status: 301 },
        { url: 'https://example.test/b', status: 307 },
      ],
      startedAtMs: 1000,
      endedAtMs: 1030,
      evidence: { fromCache: false, statusCode: 200 },
    },
  ]);
});

test('a 304 keeps its status as evidence, and gives neither status nor coding of the body', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1');
  tell('onCompleted', '1', { statusCode: 304 });
  expect(await observed()).toMatchObject([
    { facts: { status: null, coding: null }, evidence: { statusCode: 304 } },
  ]);
});

test('a failed request has an end and no status', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1');
  tell('onErrorOccurred', '1', { timeStamp: 1050, error: 'net::ERR_ABORTED' });
  const [failed] = await observed();
  expect(failed).toMatchObject({ endedAtMs: 1050, evidence: { fromCache: false, statusCode: 0 } });
  expect(failed?.facts).not.toHaveProperty('status');
});

test('a redirect that was not followed is the response; one that was, is not', async () => {
  const { tell, observed } = started();
  const moved = { statusCode: 301, fromCache: true, redirectUrl: `${url}?target` };
  tell('onBeforeRequest', '1');
  tell('onBeforeRedirect', '1', moved);
  tell('onErrorOccurred', '1', { error: 'net::ERR_ABORTED', fromCache: true, ip: '127.0.0.1' });
  tell('onBeforeRequest', '2');
  tell('onBeforeRedirect', '2', moved);
  tell('onBeforeRequest', '2', { url: `${url}?target` });
  tell('onErrorOccurred', '2', { error: 'net::ERR_ABORTED' });
  const [handed, followed] = await observed();
  expect(handed).not.toHaveProperty('finalUrl');
  expect(handed?.evidence).toEqual({
    fromCache: true,
    statusCode: 301,
    requests: 1,
    error: 'net::ERR_ABORTED',
    hasResponse: true,
  });
  expect(followed).toMatchObject({ finalUrl: `${url}?target`, evidence: { statusCode: 0 } });
  expect(followed?.evidence).not.toHaveProperty('hasResponse');
});

test('a navigation request names no document: its document does not exist yet', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1', { type: 'main_frame', documentId: 'predecessor' });
  const [document] = await observed();
  expect(document).toMatchObject({ facts: { type: 'document' } });
  expect(document).not.toHaveProperty('documentId');
});

test('the fetch of a service worker names no tab', async () => {
  const { tell, observed } = started();
  tell('onBeforeRequest', '1', { tabId: -1, type: 'xmlhttprequest' });
  expect(await observed()).toMatchObject([
    { tabId: -1, context: 'service-worker', facts: { type: 'fetch' } },
  ]);
});

test('requests of tabs that are not watched are not kept', async () => {
  const { tell, observed, stored } = started();
  tell('onBeforeRequest', '1', { tabId: 8 });
  tell('onCompleted', '1', { tabId: 8, statusCode: 200 });
  expect(await observed()).toEqual([]);
  expect(stored).not.toHaveBeenCalled();
});

test('a request in flight when its tab is unwatched has a start and nothing else', async () => {
  const { tell, observed, watched, pass } = started();
  tell('onBeforeRequest', '1');
  await pass(250);
  watched.delete(watchedTab);
  tell('onCompleted', '1', { statusCode: 200 });
  expect(await observed()).toMatchObject([{ endedAtMs: null, evidence: null }]);
});

test('after stop no event is received', async () => {
  const { chrome, tell, observed, watch } = started();
  watch.start();
  expect(chrome.webRequest?.onCompleted.listenerCount).toBe(1);
  watch.stop();
  tell('onBeforeRequest', '1');
  expect(Object.values(chrome.webRequest ?? {}).map((each) => each.listenerCount)).toEqual([
    0, 0, 0, 0,
  ]);
  expect(await observed()).toEqual([]);
});

test('after a restart of the service worker a request continues from its stored state', async () => {
  const { tell, observed, pass, startAgain } = started();
  tell('onBeforeRequest', '1');
  tell('onBeforeRedirect', '1', { statusCode: 302, redirectUrl: 'https://example.test/b' });
  await pass(250);
  startAgain();
  tell('onCompleted', '1', { url: 'https://example.test/b', statusCode: 200, timeStamp: 5000 });
  const ended = await observed();
  expect(ended).toMatchObject([
    { url, redirects: [{ url, status: 302 }], startedAtMs: 1000, endedAtMs: 5000 },
  ]);
  expect(ended[0]).not.toHaveProperty('isStartUnknown');
});

test('a request of which only the end was received has an unknown start', async () => {
  const { tell, observed } = started();
  tell('onCompleted', '1', { statusCode: 200, timeStamp: 5000 });
  expect(await observed()).toMatchObject([
    { url, startedAtMs: 5000, endedAtMs: 5000, isStartUnknown: true },
  ]);
});

test('the same request id after a browser restart is another request', async () => {
  const { chrome, tell, observed, pass, startAgain } = started();
  tell('onBeforeRequest', '1');
  await pass(250);
  await chrome.storage.session.set({ session: undefined });
  startAgain();
  tell('onBeforeRequest', '1');
  expect(await observed()).toHaveLength(2);
});

test('observedUntilMs does not pass events that are not stored yet, and all are stored', async () => {
  const { tell, observed, watch } = started();
  expect(watch.observedUntilMs()).toBe(Date.now() - lateMs);
  for (let request = 0; request < 100; request++) tell('onBeforeRequest', String(request));
  expect(watch.observedUntilMs()).toBe(Number.NEGATIVE_INFINITY);
  for (let request = 0; request < 100; request++)
    tell('onCompleted', String(request), { statusCode: 200 });
  const ended = await observed();
  expect(ended).toHaveLength(100);
  expect(ended.every(({ evidence }) => evidence !== null)).toBe(true);
  expect(watch.observedUntilMs()).toBe(Date.now() - lateMs);
});

test('after a failed read of the storage no event is lost', async () => {
  const { chrome, tell, observed, isWatched, startAgain, pass } = started();
  isWatched.mockRejectedValueOnce(new Error('storage'));
  tell('onBeforeRequest', '1');
  tell('onBeforeRequest', '2');
  await pass(1000);
  expect(await observed()).toHaveLength(2);
  vi.spyOn(chrome.storage.session, 'get').mockRejectedValueOnce(new Error('storage'));
  startAgain();
  (indexedDB as FakeIndexedDb).end();
  vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
    throw new Error('storage');
  });
  tell('onCompleted', '1', { statusCode: 200, timeStamp: 1040 });
  await pass(1000);
  expect(await observed()).toMatchObject([{ startedAtMs: 1000, endedAtMs: 1040 }, {}]);
});

test('a failed write is retried until it succeeds', async () => {
  const { tell, observed, watch, pass } = started();
  const failing = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('no room');
  });
  tell('onBeforeRequest', '1');
  await pass(5000);
  expect(watch.observedUntilMs()).toBe(Number.NEGATIVE_INFINITY);
  failing.mockRestore();
  await pass(1000);
  expect(await observed()).toHaveLength(1);
});
