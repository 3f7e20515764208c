/// <reference types="chrome-types" />
import type { Resource } from '@cachescope/model/load/load.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import type { Protocol } from 'devtools-protocol';
import { contextOf, isEnd, restoredDocument, tell } from './network-events.ts';
import { NetworkRequest, requestKey } from './network-request.ts';
import { ObservedUntil } from './observed-until.ts';
import { QuietTime } from './quiet-time.ts';

const protocolVersion = '1.3';

/** Time after the end of a request in which more of its events may come, ms. */
const lateEventsMs = 10_000;
/** The source of an event: the tab itself, or one of its frames and workers by session. */
interface Source {
  tabId?: number;
  sessionId?: string;
}

/**
 * Attaches chrome.debugger to tabs and stores the events of the Network domain, for the page and for its workers.
 * Chromium keeps the service worker alive while the debugger is attached.
 */
export class DebuggerWatch {
  readonly #stored: (loads: readonly string[]) => void;
  readonly #ended: (tabId: number) => void;
  readonly #requests = new Map<string, NetworkRequest>();
  /** Target type by session. */
  readonly #contexts = new Map<string, { tabId: number; context: Resource['context'] }>();
  #dirty = new Set<NetworkRequest>();
  /** Requests that have ended since the last batch. */
  #endedKeys: string[] = [];
  readonly #observed = new ObservedUntil();
  readonly #quiet: QuietTime;
  #storing = 0;
  #flushed: Promise<void> = Promise.resolve();

  /**
   * `ended` is called when the user detaches the debugger or the tab closes. `isLoading`: whether a watched page loads.
   */
  constructor(
    stored: (loads: readonly string[]) => void,
    ended: (tabId: number) => void,
    isLoading: () => Promise<boolean>,
  ) {
    this.#quiet = new QuietTime(() => void this.flush(), isLoading);
    this.#stored = stored;
    this.#ended = ended;
    chrome.debugger?.onEvent.addListener(this.#heard);
    chrome.debugger?.onDetach.addListener(this.#detached);
  }

  /** @throws when chrome.debugger is not available: the store build lacks the permission. */
  async attach(tabId: number): Promise<void> {
    if (chrome.debugger === undefined) {
      throw new Error(
        'this build of Cachescope has no debugger permission: load the unpacked build (npm run build:extension)',
      );
    }
    await chrome.debugger.attach({ tabId }, protocolVersion);
    try {
      await this.#enable({ tabId });
    } catch (error) {
      await this.detach(tabId);
      throw error;
    }
  }

  async detach(tabId: number): Promise<void> {
    await chrome.debugger?.detach({ tabId }).catch(() => undefined);
    await this.flush();
    this.#forget(tabId);
  }

  #forgetLater(): void {
    const keys = this.#endedKeys;
    this.#endedKeys = [];
    if (keys.length === 0) return;
    setTimeout(() => {
      for (const key of keys) this.#requests.delete(key);
    }, lateEventsMs);
  }

  /** Stored observations are kept; only requests that wait for more events are dropped. */
  #forget(tabId: number): void {
    for (const [key, request] of this.#requests)
      if (request.tabId === tabId) this.#requests.delete(key);
    for (const [session, of] of this.#contexts)
      if (of.tabId === tabId) this.#contexts.delete(session);
  }

  /** Wall-clock time up to which all events are stored, ms. */
  observedUntilMs(): number {
    return this.#observed.atMs(this.#storing > 0 || this.#dirty.size > 0);
  }

  /** All commands are sent at once: a worker that waits for the debugger answers no command before it is resumed. */
  async #enable(source: Required<Pick<Source, 'tabId'>> & Source): Promise<void> {
    const send = (method: string, parameters: Record<string, unknown> = {}) =>
      chrome.debugger.sendCommand(source, method, parameters);
    // Workers wait until their Network domain is on, so that their first request is not missed.
    const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await Promise.all([
      // Nobody reads the bodies: the renderer need not keep them.
      send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      send('Target.setAutoAttach', attaching).catch(() => undefined),
      send(source.sessionId === undefined ? 'Page.enable' : 'Runtime.runIfWaitingForDebugger'),
    ]);
  }

  readonly #detached = ({ tabId }: Source): void => {
    if (tabId === undefined) return;
    this.#forget(tabId);
    this.#ended(tabId);
  };

  readonly #heard = (source: Source, method: string, parameters?: object): void => {
    if (source.tabId === undefined) return;
    switch (method) {
      case 'Target.attachedToTarget':
        this.#attached(source.tabId, parameters as Protocol.Target.AttachedToTargetEvent);
        return;
      case 'Target.detachedFromTarget':
        this.#contexts.delete((parameters as Protocol.Target.DetachedFromTargetEvent).sessionId);
        return;
      case 'Page.frameNavigated':
        this.#navigated(source.tabId, parameters as Protocol.Page.FrameNavigatedEvent);
        return;
      default:
        if (method.startsWith('Network.')) this.#network(source, method, parameters);
    }
  };

  #attached(tabId: number, event: Protocol.Target.AttachedToTargetEvent): void {
    const { sessionId, targetInfo } = event;
    this.#contexts.set(sessionId, { tabId, context: contextOf(targetInfo.type) });
    // A target that has closed meanwhile rejects the commands.
    void this.#enable({ tabId, sessionId }).catch(() => undefined);
  }

  #navigated(tabId: number, { frame, type }: Protocol.Page.FrameNavigatedEvent): void {
    if (type !== 'BackForwardCacheRestore' || frame.parentId !== undefined) return;
    const restored = restoredDocument(tabId, frame.url);
    // After the observations of earlier events.
    void this.flush().then(() => this.#store([restored]));
  }

  #network({ tabId = -1, sessionId = '' }: Source, method: string, parameters?: object): void {
    const { requestId } = parameters as { requestId?: string };
    if (requestId === undefined) return;
    // A worker's script is requested in the page's session and answered in the worker's: the request id is the same.
    const key = requestKey(tabId, requestId);
    const context = this.#contexts.get(sessionId)?.context ?? 'unknown';
    const request = this.#requests.get(key) ?? new NetworkRequest(key, tabId, context);
    this.#requests.set(key, request);
    if (!tell(request, method, parameters)) return;
    this.#dirty.add(request);
    if (isEnd(method)) this.#endedKeys.push(key);
    this.#quiet.touch();
  }

  /**
   * Stores what has changed, once what changed before is stored: an access that is repeated, or that makes room first,
   * would replace a request's later state by its earlier one. So a batch has all changes made during the one before.
   */
  flush(): Promise<void> {
    this.#quiet.cancel();
    this.#forgetLater();
    const flushed = this.#flushed.then(() => {
      const changed = [...this.#dirty];
      this.#dirty = new Set();
      return this.#store(changed.flatMap((request) => request.observation() ?? []));
    });
    // A batch that cannot be made does not hold up the next one.
    this.#flushed = flushed.catch(() => undefined);
    return this.#flushed;
  }

  async #store(observations: readonly Observation[]): Promise<void> {
    this.#storing++;
    const loads = await this.#observed.put(observations);
    this.#storing--;
    if (loads.length > 0) this.#stored(loads);
  }
}
