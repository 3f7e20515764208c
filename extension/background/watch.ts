/// <reference types="chrome-types" />
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Watch } from '@cachescope/model/load/observation.ts';
import type { FrameOrder } from '@cachescope/model/load/watch-message.ts';
import { DebuggerWatch } from './debugger-watch.ts';
import { openWatches, putWatch } from '../loads/watch-store.ts';
import { forgetTraces } from '../loads/load-limit.ts';
import { WebRequestWatch } from './web-request-watch.ts';

/** The permission for chrome.webRequest; removed when no tab is watched at depth webRequest or debugger. */
const webRequestPermission: chrome.permissions.Permissions = { permissions: ['webRequest'] };
/** Depths by tab, in chrome.storage.session: they outlive the service worker and end with the browser. */
const depthsKey = 'depths';
/** Time up to which all events of each witness are received and stored, wall clock, ms. */
const observedUntilKey = 'observedUntil';
/** Whether the extension was loaded with the webRequest permission. */
const hadWebRequestKey = 'hadWebRequest';

type Depths = Record<string, EvidenceDepth>;

/** Depths with a witness besides the page. */
type CloseDepth = 'webRequest' | 'debugger';

function isClose(depth: EvidenceDepth | null): depth is CloseDepth {
  return depth === 'webRequest' || depth === 'debugger';
}

/**
 * The Network domain does not report shared workers, the registration of a service worker, or requests sent while the
 * page is left; chrome.webRequest does. So depth debugger uses both where the permission is granted.
 */
async function witnessesOf(depth: CloseDepth): Promise<CloseDepth[]> {
  if (depth === 'webRequest') return ['webRequest'];
  const mayListen = chrome.webRequest !== undefined && (await hadWebRequest());
  return mayListen ? ['debugger', 'webRequest'] : ['debugger'];
}

/** The watched tabs with their depths. Every watched tab is also watched at page depth. */
export class Watches {
  readonly #webRequest: WebRequestWatch;
  readonly #debugger: DebuggerWatch;
  /** The depths as last set or read: only this service worker sets them. */
  #depths: Readonly<Depths> | undefined;
  /** Changes of depth are made one after another. */
  #changing: Promise<unknown> = beginSession();

  /** `stored` is called with the ids of loads with new observations. */
  constructor(stored: (loads: readonly string[]) => void) {
    const isAtWebRequest = async (tabId: number) => {
      const depths = Object.entries(await this.#depthsNow());
      // Fetches of a service worker name no tab: they are kept while any tab is watched.
      return depths.some(([id, depth]) => isClose(depth) && (tabId < 0 || +id === tabId));
    };
    const isLoading = async () => {
      const depths = await this.#depthsNow();
      const loading = await chrome.tabs.query({ status: 'loading' });
      return loading.some(({ id }) => id !== undefined && isClose(depths[id] ?? null));
    };
    this.#webRequest = new WebRequestWatch(isAtWebRequest, stored, isLoading);
    // Queued, so that it does not overwrite a depth that is being set.
    const ended = async (tabId: number) => {
      await this.#inTurn(() => this.#noteDebuggerEnd(tabId));
      // The panel shows the depth.
      stored([]);
    };
    const hearEnd = (tabId: number) => void ended(tabId).catch(() => undefined);
    this.#debugger = new DebuggerWatch(stored, hearEnd, isLoading);
    // Listeners must be added as soon as the service worker starts again; the permission is held only while they are
    // needed.
    if (chrome.webRequest === undefined) return;
    this.#webRequest.start();
    // Queued, so that it does not stop what a change of depth starts.
    this.#changing = this.#changing.then(() => this.#stopUnneeded());
  }

  /** The depth of a tab; null when it is not watched. */
  async depthOf(tabId: number): Promise<EvidenceDepth | null> {
    return (await this.#depthsNow())[tabId] ?? null;
  }

  /**
   * Sets the depth of a tab (null: not watched), and settles when its witnesses watch.
   *
   * @throws when a permission is missing, or another debugger is attached.
   */
  async setDepth(tabId: number, depth: EvidenceDepth | null): Promise<void> {
    return this.#inTurn(() => this.#change(tabId, depth));
  }

  /**
   * Sends a command of DevTools' protocol to a tab whose depth is `debugger`.
   *
   * @throws when the debugger is not attached, or Chromium refuses the command.
   */
  async tellBrowser(tabId: number, method: string, parameters: object = {}): Promise<void> {
    if ((await this.depthOf(tabId)) !== 'debugger')
      throw new Error('the debugger is not attached: choose the depth debugger');
    await chrome.debugger.sendCommand({ tabId }, method, { ...parameters });
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const made = this.#changing.then(change);
    this.#changing = made.catch(() => undefined);
    return made;
  }

  /** Called when DevTools opens on the tab, and when it closes. */
  async devtools(tabId: number, isOpen: boolean): Promise<void> {
    await this.#changing;
    if (!isOpen) {
      await this.#end(tabId, 'devtools');
      // The panel that set the depth is closed.
      return this.setDepth(tabId, null);
    }
    // A DevTools that was already connected only connects again after a restart of the service worker: the depth is
    // kept.
    const isNew = await this.#begin(tabId, 'devtools');
    if (isNew && (await this.depthOf(tabId)) === null) await this.setDepth(tabId, 'page');
  }

  async #change(tabId: number, depth: EvidenceDepth | null): Promise<void> {
    const before = await this.depthOf(tabId);
    if (before === depth) return;
    if (isClose(before)) {
      await this.#endClose(tabId);
      if (before === 'debugger') await this.#debugger.detach(tabId);
      await this.#setDepth(tabId, 'page');
    }
    try {
      if (isClose(depth)) await this.#enter(tabId, depth);
      await this.#setDepth(tabId, depth);
      // Only now: until the depth is set, chrome.webRequest's events for the tab may be dropped.
      if (isClose(depth)) await this.#beginClose(tabId, depth);
    } finally {
      // Only now: a change between two depths that use webRequest keeps the permission.
      if (isClose(before)) await this.#releaseWebRequest();
    }
    await (depth === null ? this.#end(tabId, 'page') : this.#begin(tabId, 'page'));
    const order: FrameOrder = { type: depth === null ? 'unwatch' : 'watch' };
    // A tab without our content scripts (no site access, or a browser page) does not answer.
    await chrome.tabs.sendMessage(tabId, order).catch(() => undefined);
  }

  async #enter(tabId: number, depth: CloseDepth): Promise<void> {
    if (depth === 'debugger') await this.#debugger.attach(tabId);
    else {
      if (chrome.webRequest === undefined) {
        throw new Error('the permission webRequest has not been granted: allow it in the panel');
      }
      // Chromium 156 delivers events only to extensions that had the permission when they were loaded.
      if (!(await hadWebRequest())) {
        throw new Error(
          'webRequest is granted, but takes effect only after a reload of the extension: reload Cachescope in chrome://extensions, or restart the browser, and choose the depth again',
        );
      }
    }
    if ((await witnessesOf(depth)).includes('webRequest')) this.#webRequest.start();
  }

  async #beginClose(tabId: number, depth: CloseDepth): Promise<void> {
    for (const witness of await witnessesOf(depth)) await this.#begin(tabId, witness);
  }

  /** The listeners have a cost, and so does the permission alone. */
  async #releaseWebRequest(): Promise<void> {
    if (await this.#isWebRequestNeeded()) return;
    this.#webRequest.stop();
    // A permission required by the manifest cannot be removed.
    await chrome.permissions.remove(webRequestPermission).catch(() => undefined);
  }

  async #stopUnneeded(): Promise<void> {
    if (!(await this.#isWebRequestNeeded())) this.#webRequest.stop();
  }

  async #isWebRequestNeeded(): Promise<boolean> {
    return Object.values(await this.#depthsNow()).some(isClose);
  }

  async #noteDebuggerEnd(tabId: number): Promise<void> {
    if ((await this.depthOf(tabId)) !== 'debugger') return;
    await this.#endClose(tabId);
    await this.#setDepth(tabId, 'page');
    await this.#releaseWebRequest();
  }

  /** Stores the time up to which the events of each witness are received and stored. */
  async noteObservedUntil(): Promise<void> {
    const untilMs = {
      webRequest: this.#webRequest.observedUntilMs(),
      debugger: this.#debugger.observedUntilMs(),
    };
    await chrome.storage.session.set({ [observedUntilKey]: untilMs });
  }

  async #setDepth(tabId: number, depth: EvidenceDepth | null): Promise<void> {
    const depths = { ...(await this.#depthsNow()) };
    if (depth === null) delete depths[tabId];
    else depths[tabId] = depth;
    await chrome.storage.session.set({ [depthsKey]: depths });
    this.#depths = depths;
  }

  async #depthsNow(): Promise<Readonly<Depths>> {
    if (this.#depths) return this.#depths;
    const { [depthsKey]: depths } = await chrome.storage.session.get(depthsKey);
    this.#depths ??= (depths ?? {}) as Depths;
    return this.#depths;
  }

  /** Returns whether this witness was not watching already. */
  async #begin(tabId: number, depth: EvidenceDepth): Promise<boolean> {
    const isOpen = (await openWatches(tabId)).some((watch) => watch.depth === depth);
    if (!isOpen) await putWatch(newWatch(tabId, depth, Date.now()));
    return !isOpen;
  }

  /** Events that come while those before are stored are dropped: the watches end before them. */
  async #endClose(tabId: number): Promise<void> {
    await Promise.all([this.#webRequest.flush(), this.#debugger.flush()]);
    await this.#end(tabId, 'webRequest', this.#webRequest.observedUntilMs());
    await this.#end(tabId, 'debugger', this.#debugger.observedUntilMs());
  }

  async #end(tabId: number, depth: EvidenceDepth, untilMs = Date.now()): Promise<void> {
    for (const watch of await openWatches(tabId)) {
      if (watch.depth === depth)
        await putWatch({ ...watch, toMs: Math.max(watch.fromMs, untilMs) });
    }
  }
}

/**
 * Runs once per load of the extension. chrome.storage.session detects that, because an unpacked extension gets no
 * onStartup event. Ends the watches that an earlier browser session left open, because tab ids are reused.
 */
async function beginSession(): Promise<void> {
  const { [hadWebRequestKey]: hasBegun } = await chrome.storage.session.get(hadWebRequestKey);
  if (hasBegun !== undefined) return resume();
  await chrome.storage.session.set({ [hadWebRequestKey]: chrome.webRequest !== undefined });
  for (const watch of await openWatches()) await putWatch({ ...watch, toMs: Date.now() });
  await forgetTraces();
}

/**
 * The service worker was stopped and has started again. Events in between may be lost. So the watches get a gap from
 * the last complete moment until now, in which missing evidence means nothing.
 */
async function resume(): Promise<void> {
  const { [observedUntilKey]: untilMs = {} } = await chrome.storage.session.get(observedUntilKey);
  const nowMs = Date.now();
  for (const watch of await openWatches()) {
    const { tabId, depth, fromMs } = watch;
    if (!isClose(depth)) continue;
    const observedUntilMs = (untilMs as Partial<Record<CloseDepth, number>>)[depth] ?? fromMs;
    await putWatch({ ...watch, toMs: Math.max(fromMs, observedUntilMs) });
    await putWatch(newWatch(tabId, depth, nowMs));
  }
}

function newWatch(tabId: number, depth: EvidenceDepth, fromMs: number): Watch {
  return { key: `${tabId} ${depth} ${fromMs}`, tabId, depth, fromMs, toMs: null };
}

async function hadWebRequest(): Promise<boolean> {
  const { [hadWebRequestKey]: had } = await chrome.storage.session.get(hadWebRequestKey);
  return had === true;
}
