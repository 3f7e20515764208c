import { expect, test, vi } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { putDocument } from '../loads/load-store.ts';
import { Watches } from './watch.ts';

const url = 'https://example.test/page';
const description = { crossOriginIsolated: true, timerStepMs: 0.005 };
const reading = {
  url,
  readMs: 4.5,
  status: 200,
  bodyBytes: 1000,
  bodySha256: 'abc',
  timing: {
    startTime: 1,
    duration: 40,
    deliveryType: '',
    transferSize: 1300,
    encodedBodySize: 1000,
    decodedBodySize: 1000,
    responseStatus: 200,
    workerStart: 0,
    requestStart: 2,
    responseStart: 30,
    responseEnd: 41,
  },
  hasServiceWorker: false,
};
const request = { url, settleMs: 0 };

async function started() {
  const process = startExtensionProcess();
  const { chrome } = process;
  // webextension-polyfill throws when it is imported outside a browser.
  const { createInstrument } = await import('./instrument.ts');
  const watches = new Watches(vi.fn());
  const lab = { connect: vi.fn(async () => undefined), saveLoads: vi.fn(async () => undefined) };
  return {
    ...process,
    watches,
    lab,
    instrument: createInstrument(watches, lab),
    /** Sets the page's answer to every question. */
    pageAnswers: (answer: unknown) => void chrome.tabs.sendMessage.mockResolvedValue(answer),
  };
}

test('a page is open when it has loaded and described itself', async () => {
  const { instrument, chrome, pass, pageAnswers } = await started();
  pageAnswers({ answer: description });
  const isOpen = vi.fn();
  const opening = instrument.open(url).then(isOpen);
  await pass(100);
  chrome.tabs.onUpdated.emit(2, { status: 'complete' });
  chrome.tabs.onUpdated.emit(1, { status: 'loading' });
  await pass(100);
  expect(isOpen).not.toHaveBeenCalled();
  chrome.tabs.onUpdated.emit(1, { status: 'complete' });
  await opening;
  expect(isOpen).toHaveBeenCalledExactlyOnceWith({ tabId: 1, url, ...description });
  expect(chrome.tabs.onUpdated.listenerCount).toBe(0);
});

test('a page that had loaded before the listener was added is open', async () => {
  const { instrument, chrome, pageAnswers } = await started();
  pageAnswers({ answer: description });
  chrome.tabs.get.mockResolvedValue({ id: 1, status: 'complete' });
  expect(await instrument.open(url)).toMatchObject({ tabId: 1 });
});

test('open rejects when the page does not load within the limit', async () => {
  const { instrument, chrome, pass } = await started();
  const opening = instrument.open(url, 2000);
  const refused = expect(opening).rejects.toThrow(`${url} did not load within 2000 ms`);
  await pass(2000);
  await refused;
  expect(chrome.tabs.onUpdated.listenerCount).toBe(0);
});

test('the error for a tab that closes while its page loads names the URL', async () => {
  const { instrument, chrome } = await started();
  chrome.tabs.get.mockRejectedValue(new Error('No tab with id: 1.'));
  await expect(instrument.open(url)).rejects.toThrow(`the tab of ${url} is gone`);
});

test('a read is sent to the main frame, and its source is attributed from the page’s evidence', async () => {
  const { instrument, chrome, pageAnswers } = await started();
  pageAnswers({ answer: reading });
  const { hasServiceWorker: _, ...result } = reading;
  const read = await instrument.read(7, request);
  expect(read).toMatchObject(result);
  expect(read.attribution.source).toBe('network');
  expect(chrome.tabs.sendMessage).toHaveBeenCalledExactlyOnceWith(
    7,
    { type: 'read', request },
    { frameId: 0 },
  );
});

test('a failed read has an unknown source', async () => {
  const { instrument, pageAnswers } = await started();
  pageAnswers({ answer: { ...reading, failure: 'TypeError: Failed to fetch' } });
  expect((await instrument.read(7, request)).attribution).toEqual({
    source: 'unknown',
    confidence: 'unknown',
    reasons: ['the read failed: TypeError: Failed to fetch'],
  });
});

test('a page that throws, one that answers nonsense and one that does not answer get different errors', async () => {
  const { instrument, pageAnswers, chrome } = await started();
  pageAnswers({ error: 'TypeError: no' });
  await expect(instrument.read(7, request)).rejects.toThrow('the page of tab 7 failed');
  pageAnswers({ answer: { ...reading, readMs: 'fast' } });
  await expect(instrument.read(7, request)).rejects.toThrow('readMs');
  chrome.tabs.sendMessage.mockRejectedValue(new Error('Receiving end does not exist.'));
  await expect(instrument.read(7, request)).rejects.toThrow('tab 7 does not answer');
});

test('watch and unwatch set the depth of the tab', async () => {
  const { instrument, watches } = await started();
  await instrument.watch(7, 'debugger');
  expect(await watches.depthOf(7)).toBe('debugger');
  await instrument.unwatch(7);
  expect(await watches.depthOf(7)).toBeNull();
});

test('a load is read by its id, and the error for an unknown id names it', async () => {
  const { instrument } = await started();
  await putDocument({
    id: 'D',
    tabId: 7,
    documentId: 'D',
    url,
    startedAtMs: 1000,
    navigationType: 'navigate',
    domContentLoadedMs: null,
    loadMs: null,
    droppedEntries: 0,
  });
  expect(await instrument.loads()).toMatchObject([{ id: 'D', url }]);
  expect(await instrument.load('D')).toMatchObject({ id: 'D', resources: [] });
  await expect(instrument.load('E')).rejects.toThrow('there is no load E');
});
