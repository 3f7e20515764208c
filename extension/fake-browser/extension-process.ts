import { onTestFinished, vi } from 'vitest';
import { browser, fakeChrome } from './chrome.ts';
import { FakeIndexedDb, indexedDbGlobals } from './indexed-db.ts';

/**
 * Installs a fake browser with an empty database, for a test of the service worker's modules, until the test ends. Time
 * advances only by `pass`.
 */
export function startExtensionProcess() {
  const chrome = fakeChrome();
  const indexedDB = new FakeIndexedDb();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const globals = { ...indexedDbGlobals, indexedDB, chrome, browser };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  onTestFinished(async () => {
    // Work that waits for a timer ends with the test and does not affect the next one.
    await vi.runOnlyPendingTimersAsync();
    await indexedDB.quiet();
    indexedDB.end();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return {
    chrome,
    /** Settles when nothing happens any more until a timer fires or an event is emitted. */
    quiet: () => indexedDB.quiet(),
    /** Advances time by `ms`, and settles when all resulting work is done. */
    pass: async (ms: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(ms);
      await indexedDB.quiet();
    },
    /**
     * Simulates that the browser stops the service worker: timers and listeners are lost, storage is not. The test
     * starts the new one.
     */
    stop: () => {
      const nowMs = Date.now();
      vi.clearAllTimers();
      vi.setSystemTime(nowMs);
      const { storage, webRequest } = chrome;
      Object.assign(chrome, fakeChrome(), { storage });
      if (webRequest === undefined) chrome.webRequest = undefined;
    },
  };
}
