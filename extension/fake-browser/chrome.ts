import { vi } from 'vitest';
import { FakeEvent, FakeRequestEvent } from './chrome-event.ts';

/** URL of the extension's own pages. */
export const extensionUrl = 'chrome-extension://cachescope/';

/**
 * The parts of `chrome` that the extension uses, with every permission granted. Functions that the extension calls are
 * mocks, so that a test can read the calls and change an answer. Events are emitted by the test.
 */
export function fakeChrome() {
  return {
    runtime: {
      id: 'cachescope',
      getURL: (path: string) => extensionUrl + path,
      onMessage: new FakeEvent(),
      onConnect: new FakeEvent(),
      onInstalled: new FakeEvent(),
      sendMessage: vi.fn<(...told: unknown[]) => Promise<unknown>>(noReceiver),
    },
    tabs: {
      onRemoved: new FakeEvent(),
      onUpdated: new FakeEvent(),
      create: vi.fn<(tab: object) => Promise<{ id?: number }>>(async () => ({ id: 1 })),
      get: vi.fn(async (id: number): Promise<object> => ({ id, status: 'loading' })),
      query: vi.fn(async (): Promise<{ id?: number }[]> => []),
      remove: vi.fn<(id: number) => Promise<void>>(async () => undefined),
      sendMessage: vi.fn<(...told: unknown[]) => Promise<unknown>>(noReceiver),
    },
    permissions: {
      onAdded: new FakeEvent(),
      onRemoved: new FakeEvent(),
      contains: vi.fn(async () => true),
      getAll: vi.fn(async (): Promise<{ origins?: string[] }> => ({})),
      remove: vi.fn(async () => true),
    },
    action: { onClicked: new FakeEvent() },
    scripting: registeredScripts(),
    storage: { session: sessionStorageArea() },
    /** Undefined while the permission is not granted. */
    webRequest: requestEvents() as ReturnType<typeof requestEvents> | undefined,
    /** Undefined in the build for the store. */
    debugger: debuggerOfTabs() as ReturnType<typeof debuggerOfTabs> | undefined,
  };
}
export type FakeChrome = ReturnType<typeof fakeChrome>;

/**
 * The object that webextension-polyfill takes for the browser at its first import and keeps. It forwards to the current
 * `chrome`.
 */
export const browser = {
  get runtime() {
    return chrome.runtime;
  },
  get tabs() {
    return chrome.tabs;
  },
  get action() {
    return chrome.action;
  },
};

async function noReceiver(): Promise<unknown> {
  throw new Error('Could not establish connection. Receiving end does not exist.');
}

function sessionStorageArea() {
  const kept: Record<string, unknown> = {};
  return {
    get: async (key: string) => structuredClone(key in kept ? { [key]: kept[key] } : {}),
    set: async (values: object) => void Object.assign(kept, structuredClone(values)),
  };
}

/** Content scripts by id; as in Chromium, an id can be registered only once. */
function registeredScripts() {
  const kept = new Map<string, { id: string; matches: string[] }>();
  return {
    getRegisteredContentScripts: async () => [...kept.values()],
    registerContentScripts: async (scripts: { id: string; matches: string[] }[]) => {
      for (const script of scripts) {
        if (kept.has(script.id)) throw new Error(`Duplicate script ID '${script.id}'`);
        kept.set(script.id, script);
      }
    },
    unregisterContentScripts: async ({ ids }: { ids: string[] }) => {
      for (const id of ids) kept.delete(id);
    },
  };
}

function requestEvents() {
  return {
    onBeforeRequest: new FakeRequestEvent(),
    onBeforeRedirect: new FakeRequestEvent(),
    onCompleted: new FakeRequestEvent(),
    onErrorOccurred: new FakeRequestEvent(),
  };
}

function debuggerOfTabs() {
  return {
    onEvent: new FakeEvent(),
    onDetach: new FakeEvent(),
    attach: vi.fn<(target: object, version: string) => Promise<void>>(async () => undefined),
    detach: vi.fn<(target: object) => Promise<void>>(async () => undefined),
    sendCommand: vi.fn<(target: object, method: string, parameters: object) => Promise<object>>(
      async () => ({}),
    ),
  };
}
