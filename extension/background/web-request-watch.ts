/// <reference types="chrome-types" />
import { decodedCoding } from '@cachescope/model/coding.ts';
import { harResourceType } from '@cachescope/model/har/resource-type.ts';
import { fieldValue } from '@cachescope/model/load/header-fields.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import { getObservation } from '../loads/load-store.ts';
import { ObservedUntil, untilDone } from './observed-until.ts';
import { QuietTime } from './quiet-time.ts';

type WebRequestObservation = Extract<Observation, { witness: 'webRequest' }>;

/** Applies an event to the observation of its request. */
type Change = (known: WebRequestObservation) => WebRequestObservation;

/** The fields used here that all events of chrome.webRequest have. */
interface Details {
  requestId: string;
  url: string;
  tabId: number;
  timeStamp: number;
  type: string;
  method: string;
  documentId?: string | undefined;
  frameId?: number | undefined;
  statusCode?: number | undefined;
  fromCache?: boolean | undefined;
  error?: string | undefined;
  /** Of the server; absent before a response began. */
  ip?: string | undefined;
  redirectUrl?: string | undefined;
  responseHeaders?: chrome.webRequest.HttpHeaders | undefined;
}

const everywhere = { urls: ['<all_urls>', 'ws://*/*', 'wss://*/*'] };
/** The chrome.webRequest types that DevTools calls document. */
const documents: ReadonlySet<string> = new Set(['main_frame', 'sub_frame']);
/** frame, object and embed elements create a document of their own. */
const navigations: ReadonlySet<string> = new Set([...documents, 'object']);
/** Fetches of service workers name no tab. */
const noTab = -1;

/** An event that is not stored yet. */
interface UnstoredEvent {
  details: Details;
  change: Change;
  isFirst: boolean;
}

/**
 * Listens to chrome.webRequest and stores its events when no more come for a moment (`QuietTime`): a service worker that
 * has just had events is not stopped. Writes are serialized.
 *
 * Listens only to the events that a verdict needs, and without `extraHeaders`, with which Chromium sends every header
 * of every request through its browser process. Without it the request headers are unknown (Accept-Encoding, cookies);
 * DevTools and the debugger provide them.
 */
export class WebRequestWatch {
  readonly #isWatched: (tabId: number) => Promise<boolean>;
  readonly #stored: (loads: readonly string[]) => void;
  readonly #session = untilDone(sessionName);
  /** Requests that have not ended; after a restart they are read from the store. */
  readonly #known = new Map<string, WebRequestObservation>();
  readonly #observed = new ObservedUntil();
  readonly #quiet: QuietTime;
  #waiting: UnstoredEvent[] = [];
  #isStoring = false;
  #flushed: Promise<void> = Promise.resolve();

  /** `isLoading`: whether a watched page loads. */
  constructor(
    isWatched: (tabId: number) => Promise<boolean>,
    stored: (loads: readonly string[]) => void,
    isLoading: () => Promise<boolean>,
  ) {
    this.#quiet = new QuietTime(() => void this.flush(), isLoading);
    this.#isWatched = isWatched;
    this.#stored = stored;
  }

  start(): void {
    const { onBeforeRequest, onBeforeRedirect, onCompleted, onErrorOccurred } = chrome.webRequest;
    // Unlike others of chrome's events, these call a listener twice that is added twice (Chromium 156).
    if (onBeforeRequest.hasListener(this.#began as never)) return;
    onBeforeRequest.addListener(this.#began, everywhere);
    onBeforeRedirect.addListener(this.#redirected, everywhere);
    onCompleted.addListener(this.#ended, everywhere, ['responseHeaders']);
    onErrorOccurred.addListener(this.#failed, everywhere);
  }

  stop(): void {
    // Never granted: nothing was started.
    if (chrome.webRequest === undefined) return;
    // chrome-types declares a wrong parameter type for removeListener and hasListener.
    chrome.webRequest.onBeforeRequest.removeListener(this.#began as never);
    chrome.webRequest.onBeforeRedirect.removeListener(this.#redirected as never);
    chrome.webRequest.onCompleted.removeListener(this.#ended as never);
    chrome.webRequest.onErrorOccurred.removeListener(this.#failed as never);
    this.#known.clear();
  }

  /** Wall-clock time up to which all events are stored, ms. */
  observedUntilMs(): number {
    return this.#observed.atMs(this.#isStoring || this.#waiting.length > 0);
  }

  readonly #began = (details: Details): undefined => {
    // Again for the target of a redirect: then that was followed.
    this.#update(details, (known) => ({ ...known, evidence: null }), true);
  };

  readonly #redirected = (details: Details): void => {
    const { redirectUrl, url, fromCache = false, statusCode = 0 } = details;
    const finalUrl = withoutFragment(redirectUrl ?? url);
    const hop = { url: withoutFragment(url), status: statusCode };
    this.#update(details, (known) => ({
      ...known,
      finalUrl,
      redirects: [...(known.redirects ?? []), hop],
      evidence: { fromCache, statusCode, requests: 1 },
    }));
  };

  readonly #ended = (details: Details): void => {
    const { fromCache = false, statusCode = 0, timeStamp } = details;
    const responseHeaders = headersOf(details.responseHeaders);
    const mimeType = fieldValue(responseHeaders, 'content-type')?.split(';')[0]?.trim() || null;
    this.#update(details, (known) => ({
      ...known,
      facts: {
        ...known.facts,
        status: statusCode === 304 ? null : statusCode,
        mimeType,
        coding:
          statusCode === 304
            ? null
            : decodedCoding(fieldValue(responseHeaders, 'content-encoding')),
        responseHeaders,
      },
      endedAtMs: timeStamp,
      evidence: {
        fromCache,
        statusCode,
        requests: 1,
        ...navigationOf(details),
      },
    }));
  };

  readonly #failed = (details: Details): void => {
    const { fromCache = false, timeStamp, error, ip } = details;
    const failed = {
      ...navigationOf(details),
      ...(error ? { error } : {}),
      ...(ip === undefined ? {} : { hasResponse: true }),
    };
    this.#update(details, (known) => {
      // A redirect that was not followed is itself the response.
      const { finalUrl: _finalUrl, redirects: _redirects, ...own } = known;
      const ended = { ...(known.evidence ? own : known), endedAtMs: timeStamp };
      const response = known.evidence ?? { fromCache, statusCode: 0, requests: 1 };
      return { ...ended, evidence: { ...response, ...failed } };
    });
  };

  #update(details: Details, change: Change, isFirst = false): void {
    this.#waiting.push({ details, change, isFirst });
    this.#quiet.touch();
  }

  /** Stores all events that have come. */
  flush(): Promise<void> {
    this.#quiet.cancel();
    this.#flushed = this.#flushed.then(() => this.#storeAll());
    return this.#flushed;
  }

  async #storeAll(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    this.#isStoring = true;
    const loads = await this.#store(events);
    this.#isStoring = false;
    if (loads.length > 0) this.#stored(loads);
  }

  async #store(events: readonly UnstoredEvent[]): Promise<string[]> {
    const session = await this.#session;
    const changed = new Map<string, WebRequestObservation>();
    const watched = new Map<number, boolean>();
    for (const { tabId } of new Map(events.map(({ details }) => [details.tabId, details])).values())
      watched.set(tabId, await untilDone(() => this.#isWatched(tabId)));
    for (const { details, change, isFirst } of events) {
      const key = `webRequest ${session} ${details.requestId}`;
      if (!watched.get(details.tabId)) {
        this.#known.delete(key);
        continue;
      }
      const known =
        this.#known.get(key) ??
        (isFirst ? undefined : await untilDone(() => storedObservation(key)));
      // Its first events were lost when the service worker was stopped.
      const late = isFirst ? {} : { isStartUnknown: true };
      const now = change(known ?? { ...observationOf(key, details), ...late });
      if (now.endedAtMs === null) this.#known.set(key, now);
      else this.#known.delete(key);
      changed.set(key, now);
    }
    return this.#observed.put([...changed.values()]);
  }
}

async function storedObservation(key: string): Promise<WebRequestObservation | undefined> {
  const known = await getObservation(key);
  return known?.witness === 'webRequest' ? known : undefined;
}

function observationOf(key: string, details: Details): WebRequestObservation {
  const { tabId, documentId, frameId, type, method, timeStamp } = details;
  const isDocument = documents.has(type);
  const devtoolsType = type === 'xmlhttprequest' ? 'xhr' : type;
  return {
    witness: 'webRequest',
    key,
    tabId,
    // The document of a navigation does not exist yet; documentId names the previous one.
    ...(documentId !== undefined && !navigations.has(type)
      ? { documentId, ...(frameId === undefined ? {} : { frameId }) }
      : {}),
    url: withoutFragment(details.url),
    startedAtMs: timeStamp,
    endedAtMs: null,
    context: tabId === noTab ? 'service-worker' : 'unknown',
    facts: { method, type: isDocument ? 'document' : harResourceType(devtoolsType, null) },
    evidence: null,
  };
}

function navigationOf({ type }: Details): { isNavigation?: true } {
  return documents.has(type) ? { isNavigation: true } : {};
}

function headersOf(headers: chrome.webRequest.HttpHeaders | undefined): [string, string][] {
  return (headers ?? []).map(({ name, value }) => [name.toLowerCase(), value ?? '']);
}

/** A name for the browser session: request ids start again with each start of the browser. */
async function sessionName(): Promise<string> {
  const { session } = await chrome.storage.session.get('session');
  if (typeof session === 'string') return session;
  const made = crypto.randomUUID();
  await chrome.storage.session.set({ session: made });
  return made;
}
