/// <reference types="chrome-types" />
import { harResourceType } from '@cachescope/model/har-resource-type.ts';
import { fieldValue } from '@cachescope/model/header-fields.ts';
import type { Facts, Observation } from '@cachescope/model/observation.ts';
import { getObservation, putObservations } from './load-store.ts';

type WebRequestObservation = Extract<Observation, { witness: 'webRequest' }>;

/** What an event adds to what is known of its request. */
type Change = (known: WebRequestObservation) => WebRequestObservation;

/** Fields that the events of chrome.webRequest have in common, as far as they are used here. */
interface Details {
  requestId: string;
  url: string;
  tabId: number;
  timeStamp: number;
  type: string;
  method: string;
  documentId?: string | undefined;
  statusCode?: number | undefined;
  fromCache?: boolean | undefined;
  redirectUrl?: string | undefined;
  requestHeaders?: chrome.webRequest.HttpHeaders | undefined;
  responseHeaders?: chrome.webRequest.HttpHeaders | undefined;
}

const everywhere = { urls: ['<all_urls>'] };
/** chrome.webRequest's words for what DevTools calls a document. */
const documents: ReadonlySet<string> = new Set(['main_frame', 'sub_frame']);
/** Service workers' fetches name no tab. */
const noTab = -1;

/** Listens to chrome.webRequest, and stores each event at once: the service worker may be stopped before the next. */
export class WebRequestWatch {
  readonly #isWatched: (tabId: number) => Promise<boolean>;
  readonly #stored: (tabId: number) => void;
  readonly #session = sessionName();
  /** Requests that have not ended; what is not here after a stop is in the store. */
  readonly #known = new Map<string, WebRequestObservation>();
  /** Events of one request are dealt with one after another. */
  readonly #queues = new Map<string, Promise<void>>();

  constructor(isWatched: (tabId: number) => Promise<boolean>, stored: (tabId: number) => void) {
    this.#isWatched = isWatched;
    this.#stored = stored;
  }

  start(): void {
    const { onBeforeRequest, onSendHeaders, onBeforeRedirect, onCompleted, onErrorOccurred } =
      chrome.webRequest;
    // The same listener added twice is one.
    onBeforeRequest.addListener(this.#began, everywhere);
    onSendHeaders.addListener(this.#sent, everywhere, ['requestHeaders', 'extraHeaders']);
    onBeforeRedirect.addListener(this.#redirected, everywhere);
    onCompleted.addListener(this.#ended, everywhere, ['responseHeaders', 'extraHeaders']);
    onErrorOccurred.addListener(this.#failed, everywhere);
  }

  stop(): void {
    // chrome-types names a wrong type for what is removed.
    chrome.webRequest.onBeforeRequest.removeListener(this.#began as never);
    chrome.webRequest.onSendHeaders.removeListener(this.#sent as never);
    chrome.webRequest.onBeforeRedirect.removeListener(this.#redirected as never);
    chrome.webRequest.onCompleted.removeListener(this.#ended as never);
    chrome.webRequest.onErrorOccurred.removeListener(this.#failed as never);
  }

  readonly #began = (details: Details): undefined => {
    this.#update(details, (known) => known, true);
  };

  readonly #sent = (details: Details): void => {
    const requestHeaders = headersOf(details.requestHeaders);
    this.#update(details, (known) => withFacts(known, { requestHeaders }));
  };

  readonly #redirected = (details: Details): void => {
    const finalUrl = (details.redirectUrl ?? details.url).split('#', 1)[0] ?? '';
    this.#update(details, (known) => ({ ...known, finalUrl }));
  };

  readonly #ended = (details: Details): void => {
    const { fromCache = false, statusCode = 0, timeStamp } = details;
    const responseHeaders = headersOf(details.responseHeaders);
    const mimeType = fieldValue(responseHeaders, 'content-type')?.split(';')[0]?.trim() || null;
    this.#update(details, (known) => ({
      ...withFacts(known, {
        status: statusCode === 304 ? null : statusCode,
        mimeType,
        coding:
          fieldValue(responseHeaders, 'content-encoding')?.toLowerCase() ||
          (statusCode === 304 ? null : 'identity'),
        responseHeaders,
      }),
      endedAtMs: timeStamp,
      evidence: { fromCache, statusCode, requests: 1 },
    }));
  };

  readonly #failed = (details: Details): void => {
    const { fromCache = false, timeStamp } = details;
    this.#update(details, (known) => ({
      ...known,
      endedAtMs: timeStamp,
      evidence: { fromCache, statusCode: 0, requests: 1 },
    }));
  };

  #update(details: Details, change: Change, isFirst = false): void {
    const before = this.#queues.get(details.requestId) ?? Promise.resolve();
    const now = before.then(() => this.#store(details, change, isFirst)).catch(() => undefined);
    this.#queues.set(details.requestId, now);
    void this.#forget(details.requestId, now);
  }

  async #forget(requestId: string, queue: Promise<void>): Promise<void> {
    await queue;
    if (this.#queues.get(requestId) === queue) this.#queues.delete(requestId);
  }

  async #store(details: Details, change: Change, isFirst: boolean): Promise<void> {
    if (!(await this.#isWatched(details.tabId))) return;
    const key = `webRequest ${await this.#session} ${details.requestId}`;
    const known = this.#known.get(key) ?? (await storedObservation(key));
    // Its first events went with a service worker that was stopped.
    const late = isFirst ? {} : { isStartUnknown: true };
    const now = change(known ?? { ...observationOf(key, details), ...late });
    if (now.evidence) this.#known.delete(key);
    else this.#known.set(key, now);
    await putObservations([now]);
    this.#stored(details.tabId);
  }
}

async function storedObservation(key: string): Promise<WebRequestObservation | undefined> {
  const known = await getObservation(key);
  return known?.witness === 'webRequest' ? known : undefined;
}

function observationOf(key: string, details: Details): WebRequestObservation {
  const { tabId, documentId, type, method, timeStamp } = details;
  const isDocument = documents.has(type);
  return {
    witness: 'webRequest',
    key,
    tabId,
    // The document that a navigation makes is not there yet; the one named is its predecessor.
    ...(documentId !== undefined && !isDocument ? { documentId } : {}),
    url: details.url.split('#', 1)[0] ?? '',
    startedAtMs: timeStamp,
    endedAtMs: null,
    context: tabId === noTab ? 'service-worker' : 'unknown',
    facts: { method, type: isDocument ? 'document' : harResourceType(wordOf(type), null) },
    evidence: null,
  };
}

/** chrome.webRequest's word in DevTools' words. */
function wordOf(type: string): string {
  return type === 'xmlhttprequest' ? 'xhr' : type;
}

function withFacts(known: WebRequestObservation, facts: Facts): WebRequestObservation {
  return { ...known, facts: { ...known.facts, ...facts } };
}

function headersOf(headers: chrome.webRequest.HttpHeaders | undefined): [string, string][] {
  return (headers ?? []).map(({ name, value }) => [name.toLowerCase(), value ?? '']);
}

/** Request ids begin anew with each start of the browser. */
async function sessionName(): Promise<string> {
  const { session } = await chrome.storage.session.get('session');
  if (typeof session === 'string') return session;
  const made = crypto.randomUUID();
  await chrome.storage.session.set({ session: made });
  return made;
}
