import { keptUrl } from '@cachescope/model/load/kept-url.ts';
import type { NetworkEvidence } from '@cachescope/model/attribution/evidence.ts';
import { harResourceType } from '@cachescope/model/har/resource-type.ts';
import { fieldValue } from '@cachescope/model/load/header-fields.ts';
import { reportedInitiator } from '@cachescope/model/load/initiator.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import type { Protocol } from 'devtools-protocol';

type NetworkObservation = Extract<Observation, { witness: 'debugger' }>;
type Sent = Pick<Protocol.Network.RequestWillBeSentEvent, 'wallTime' | 'timestamp'> & {
  /** A WebSocket has no priority. */
  request: { method: string; initialPriority?: string };
  initiator?: Protocol.Network.Initiator;
  /** Id of the request for the requesting document. */
  loaderId?: string;
};
type Failure = Pick<NetworkEvidence, 'errorText' | 'blockedReason' | 'corsError' | 'isCanceled'>;
type Headers = Record<string, string>;

/** The same for all events of one request. */
export function requestKey(tabId: number, requestId: string): string {
  return `debugger ${tabId} ${requestId}`;
}

/** One request, built from events of the Network domain. The events come in no fixed order. */
export class NetworkRequest {
  readonly key: string;
  readonly tabId: number;
  readonly context: Resource['context'];
  #sent: Sent | undefined;
  #firstUrl: string | undefined;
  readonly #redirects: { url: string; status: number }[] = [];
  #response: Protocol.Network.Response | undefined;
  #type: string | undefined;
  #extraInfoStatus: number | null = null;
  #requestHeaders: Headers | undefined;
  #responseHeaders: Headers | undefined;
  #isServedFromCache = false;
  #encodedDataLength: number | null = null;
  #decodedBytes = 0;
  #endedAt: number | undefined;

  constructor(key: string, tabId: number, context: Resource['context']) {
    this.key = key;
    this.tabId = tabId;
    this.context = context;
  }

  willBeSent(event: Protocol.Network.RequestWillBeSentEvent): void {
    const { url, status } = event.redirectResponse ?? {};
    if (url !== undefined && status !== undefined) {
      this.#redirects.push({ url: withoutFragment(url), status });
    } else this.#sent = event;
    this.#firstUrl ??= event.request.url;
    this.#type = event.type;
    this.#finalUrl = event.request.url;
    this.#requestHeaders ??= event.request.headers;
  }
  #finalUrl: string | undefined;

  requestExtraInfo(event: Protocol.Network.RequestWillBeSentExtraInfoEvent): void {
    this.#requestHeaders = event.headers;
  }

  socketCreated({ url }: Protocol.Network.WebSocketCreatedEvent): void {
    this.#firstUrl = withoutFragment(url);
    this.#type = 'WebSocket';
  }

  socketWillOpen(event: Protocol.Network.WebSocketWillSendHandshakeRequestEvent): void {
    this.#sent = { ...event, request: { method: 'GET' } };
    this.#requestHeaders = event.request.headers;
  }

  socketOpened({ response }: Protocol.Network.WebSocketHandshakeResponseReceivedEvent): void {
    const { status, headers } = response;
    this.#socketStatus = status;
    this.#extraInfoStatus = status;
    this.#responseHeaders = headers;
  }
  #socketStatus: number | undefined;

  socketClosed({ timestamp }: Protocol.Network.WebSocketClosedEvent): void {
    this.#endedAt = timestamp;
    if (this.#socketStatus === undefined) this.#failure = { errorText: 'WebSocket closed' };
  }

  servedFromCache(): void {
    this.#isServedFromCache = true;
  }

  responseReceived({ response, type }: Protocol.Network.ResponseReceivedEvent): void {
    this.#response = response;
    this.#type = type;
    this.#responseHeaders ??= response.headers;
  }

  responseExtraInfo(event: Protocol.Network.ResponseReceivedExtraInfoEvent): void {
    const { statusCode, headers } = event;
    // The extra info of a redirect may come after the redirected request's requestWillBeSent.
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) return;
    this.#extraInfoStatus = statusCode;
    this.#responseHeaders = headers;
  }

  dataReceived({ dataLength }: Protocol.Network.DataReceivedEvent): void {
    this.#decodedBytes += dataLength;
  }

  finished({ encodedDataLength, timestamp }: Protocol.Network.LoadingFinishedEvent): void {
    this.#encodedDataLength = encodedDataLength;
    this.#endedAt = timestamp;
  }

  failed(event: Protocol.Network.LoadingFailedEvent): void {
    const { timestamp, errorText, blockedReason, corsErrorStatus, canceled } = event;
    this.#endedAt = timestamp;
    this.#failure = {
      errorText,
      ...(blockedReason ? { blockedReason } : {}),
      ...(corsErrorStatus ? { corsError: corsErrorStatus.corsError } : {}),
      ...(canceled ? { isCanceled: true } : {}),
    };
  }
  #failure: Failure | undefined;

  /** The observation so far; undefined before requestWillBeSent. */
  observation(): NetworkObservation | undefined {
    const sent = this.#sent;
    if (!sent || this.#firstUrl === undefined) return undefined;
    // A preflight is not a use of the page: it asks whether a request may be sent.
    if (sent.initiator?.type === 'preflight' || this.#type === 'Preflight') return undefined;
    const wallMs = (timestamp: number) => (sent.wallTime + timestamp - sent.timestamp) * 1000;
    const response = this.#response;
    const headers = fieldsOf(this.#responseHeaders);
    const timing = response?.timing;
    const initiator = reportedInitiator(sent.initiator);
    return {
      witness: 'debugger',
      key: this.key,
      tabId: this.tabId,
      ...this.#navigation(sent.loaderId),
      url: keptUrl(this.#firstUrl),
      ...(this.#redirects.length > 0
        ? { finalUrl: this.#finalUrl, redirects: [...this.#redirects] }
        : {}),
      startedAtMs: sent.wallTime * 1000,
      endedAtMs: this.#endedAt === undefined ? null : wallMs(this.#endedAt),
      ...(timing && timing.receiveHeadersEnd >= 0 && !this.#isServedFromCache
        ? { responseStartedAtMs: wallMs(timing.requestTime) + timing.receiveHeadersEnd }
        : {}),
      context: this.context,
      facts: {
        method: sent.request.method,
        ...(sent.request.initialPriority ? { priority: sent.request.initialPriority } : {}),
        ...(initiator ? { initiator } : {}),
        ...(this.#type === undefined ? {} : { type: harResourceType(this.#type, null) }),
        requestHeaders: fieldsOf(this.#requestHeaders),
        ...(response ? { ...factsOf(response, headers), ...this.#sizes() } : {}),
        isPreload: sent.initiator?.type === 'preload',
      },
      evidence: response || this.#failure || this.#socketStatus ? this.#evidence(response) : null,
    };
  }

  #navigation(loaderId: string | undefined): Pick<Observation, 'navigationKey'> {
    // A prefetch of speculation rules names itself, as a navigation does.
    if (this.#type === 'Prefetch') return { navigationKey: null };
    return loaderId ? { navigationKey: requestKey(this.tabId, loaderId) } : {};
  }

  #sizes(): { transferredBytes: number | null; decodedBytes?: number } {
    // A memory hit repeats the sizes of the first use.
    const isInUrl = /^(data|blob):/.test(this.#firstUrl ?? '');
    const sentBytes = isInUrl ? null : this.#encodedDataLength;
    const transferredBytes = this.#isServedFromCache ? 0 : sentBytes;
    // The bytes received so far are not the size of an incomplete body.
    const hasData = this.#decodedBytes > 0 && this.#encodedDataLength !== null;
    return { transferredBytes, ...(hasData ? { decodedBytes: this.#decodedBytes } : {}) };
  }

  #evidence(response: Partial<Protocol.Network.Response> = {}): NetworkEvidence {
    const router = response.serviceWorkerRouterInfo;
    return {
      requestServedFromCache: this.#isServedFromCache,
      fromDiskCache: response.fromDiskCache ?? false,
      fromPrefetchCache: response.fromPrefetchCache ?? false,
      fromServiceWorker: response.fromServiceWorker ?? false,
      fromEarlyHints: response.fromEarlyHints ?? false,
      status: response.status ?? this.#socketStatus ?? 0,
      extraInfoStatus: this.#extraInfoStatus,
      encodedDataLength: this.#encodedDataLength,
      ...(response.serviceWorkerResponseSource
        ? { serviceWorkerResponseSource: response.serviceWorkerResponseSource }
        : {}),
      ...(response.cacheStorageCacheName
        ? { cacheStorageName: response.cacheStorageCacheName }
        : {}),
      ...(router?.matchedSourceType ? { routerMatched: router.matchedSourceType } : {}),
      ...(router?.actualSourceType ? { routerActual: router.actualSourceType } : {}),
      ...(response.protocol ? { protocol: response.protocol } : {}),
      ...this.#failure,
    };
  }
}

function factsOf(response: Protocol.Network.Response, headers: [string, string][]) {
  return {
    status: response.status === 304 ? null : response.status,
    mimeType: response.mimeType || null,
    coding: codingOf(response),
    responseHeaders: headers,
  };
}

/**
 * Content coding of the response that the page gets. A 304 has no coding of its own and usually does not name that of
 * the body.
 */
function codingOf({ headers, status }: Protocol.Network.Response): string | null {
  const coding = fieldValue(fieldsOf(headers), 'content-encoding')?.toLowerCase();
  return coding || (status === 304 ? null : 'identity');
}

/** The protocol joins the lines of a repeated field by line feeds, which a value cannot contain. */
function fieldsOf(headers: Headers | undefined): [string, string][] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value.split('\n').map((line): [string, string] => [name.toLowerCase(), line]),
  );
}
