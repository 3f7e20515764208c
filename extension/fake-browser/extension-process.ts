import { onTestFinished, vi } from 'vitest';
import { browser, type FakeChrome, fakeChrome } from './chrome.ts';
import { FakeIndexedDb, indexedDbGlobals } from './indexed-db.ts';

/** What a test of the service worker's parts holds of the browser. */
export interface ExtensionProcess {
  chrome: FakeChrome;
  /** Settles when nothing happens any more until a timer ends or something is told. */
  quiet: () => Promise<void>;
  /** Lets time pass, ms, and settles when what that started has come to rest. */
  pass: (ms: number) => Promise<void>;
  /**
   * As when the browser stops the service worker: its timers and listeners are gone, what it stored is not. The test
   * makes the new one.
   */
  stop: () => void;
}

/** Puts a browser with an empty database around the test until it has ended. Time stands still but for `pass`. */
export function startExtensionProcess(): ExtensionProcess {
  const chrome = fakeChrome();
  const indexedDB = new FakeIndexedDb();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const globals = { ...indexedDbGlobals, indexedDB, chrome, browser };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  onTestFinished(async () => {
    // What waits for a timer ends with the test, and leaves nothing for the next one.
    await vi.runOnlyPendingTimersAsync();
    await indexedDB.quiet();
    indexedDB.end();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return {
    chrome,
    quiet: () => indexedDB.quiet(),
    async pass(ms) {
      await vi.advanceTimersByTimeAsync(ms);
      await indexedDB.quiet();
    },
    stop() {
      const nowMs = Date.now();
      vi.clearAllTimers();
      vi.setSystemTime(nowMs);
      const { storage, webRequest } = chrome;
      Object.assign(chrome, fakeChrome(), { storage });
      if (webRequest === undefined) chrome.webRequest = undefined;
    },
  };
}
