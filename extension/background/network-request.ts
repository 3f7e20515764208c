import { keptUrl } from '@cachescope/model/load/kept-url.ts';
import { type NetworkEvidence, redirectStatuses } from '@cachescope/model/attribution/evidence.ts';
import { decodedCoding } from '@cachescope/model/coding.ts';
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
  #lastRedirect: Protocol.Network.Response | undefined;
  /** Status of the last redirect that came from the network. */
  #redirectStatusSent: number | null = null;
  /** Number of requests that reached the network, and of redirects that came from there. */
  #sentToNetwork = 0;
  #redirectedByNetwork = 0;
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
    const { redirectResponse, redirectHasExtraInfo } = event;
    if (redirectResponse) {
      const { url, status } = redirectResponse;
      this.#redirects.push({ url: withoutFragment(url), status });
      this.#lastRedirect = redirectResponse;
      if (redirectHasExtraInfo) this.#redirectedByNetwork++;
    } else this.#sent = event;
    this.#firstUrl ??= event.request.url;
    this.#type = event.type;
    this.#finalUrl = event.request.url;
    this.#requestHeaders ??= event.request.headers;
  }
  #finalUrl: string | undefined;

  requestExtraInfo(event: Protocol.Network.RequestWillBeSentExtraInfoEvent): void {
    this.#requestHeaders = event.headers;
    this.#sentToNetwork++;
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
    if (redirectStatuses.has(statusCode)) {
      this.#redirectStatusSent = statusCode;
      return;
    }
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
    const handed = this.#handedRedirect();
    const response = this.#response ?? handed;
    const headers = fieldsOf(this.#responseHeaders ?? handed?.headers);
    const timing = response?.timing;
    const initiator = reportedInitiator(sent.initiator);
    return {
      witness: 'debugger',
      key: this.key,
      tabId: this.tabId,
      ...this.#navigation(sent.loaderId),
      url: keptUrl(this.#firstUrl),
      ...(this.#redirects.length > 0 && !handed
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

  /**
   * The redirect that is itself the response (Fetch, redirect mode `manual`). The protocol reports it as followed, and
   * then the request for its target as canceled, although that was never sent.
   */
  #handedRedirect(): Protocol.Network.Response | undefined {
    const isTargetSent = this.#sentToNetwork > this.#redirectedByNetwork;
    if (this.#type !== 'Fetch' || this.#response || isTargetSent) return undefined;
    if (!this.#failure?.isCanceled) return undefined;
    return this.#redirects.length === 1 ? this.#lastRedirect : undefined;
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

  /** Chromium ends a body that is partly stored where the answer for the rest does not fit, without an error. */
  #isCutShort(): boolean {
    const headers = fieldsOf(this.#response?.headers);
    const promised = Number(fieldValue(headers, 'content-length') ?? Number.NaN);
    if (this.#encodedDataLength === null || fieldValue(headers, 'content-encoding')) return false;
    return 0 < this.#decodedBytes && this.#decodedBytes < promised;
  }

  #hasFurtherBytes(): boolean {
    const before = this.#response?.encodedDataLength ?? Number.POSITIVE_INFINITY;
    return this.#extraInfoStatus === 304 && (this.#encodedDataLength ?? 0) > before;
  }

  #evidence(response: Partial<Protocol.Network.Response> = {}): NetworkEvidence {
    const router = response.serviceWorkerRouterInfo;
    const isHanded = response === this.#handedRedirect();
    return {
      requestServedFromCache: this.#isServedFromCache,
      fromDiskCache: response.fromDiskCache ?? false,
      fromPrefetchCache: response.fromPrefetchCache ?? false,
      fromServiceWorker: response.fromServiceWorker ?? false,
      fromEarlyHints: response.fromEarlyHints ?? false,
      status: response.status ?? this.#socketStatus ?? 0,
      extraInfoStatus: isHanded ? this.#redirectStatusSent : this.#extraInfoStatus,
      encodedDataLength: isHanded ? (response.encodedDataLength ?? null) : this.#encodedDataLength,
      ...(response.serviceWorkerResponseSource
        ? { serviceWorkerResponseSource: response.serviceWorkerResponseSource }
        : {}),
      ...(response.cacheStorageCacheName
        ? { cacheStorageName: response.cacheStorageCacheName }
        : {}),
      ...(this.#isCutShort() ? { isCutShort: true } : {}),
      ...(this.#hasFurtherBytes() ? { hasFurtherBytes: true } : {}),
      ...(this.#type === 'Document' ? { isNavigation: true } : {}),
      ...(this.#type === 'Prefetch' ? { isPrefetch: true } : {}),
      ...(router?.matchedSourceType ? { routerMatched: router.matchedSourceType } : {}),
      ...(router?.actualSourceType ? { routerActual: router.actualSourceType } : {}),
      ...(response.protocol ? { protocol: response.protocol } : {}),
      ...(isHanded ? {} : this.#failure),
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

/** Content coding of the response that the page gets. A 304 has no body: what it names is not that of the stored one. */
function codingOf({ headers, status }: Protocol.Network.Response): string | null {
  return status === 304 ? null : decodedCoding(fieldValue(fieldsOf(headers), 'content-encoding'));
}

/** The protocol joins the lines of a repeated field by line feeds, which a value cannot contain. */
function fieldsOf(headers: Headers | undefined): [string, string][] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value.split('\n').map((line): [string, string] => [name.toLowerCase(), line]),
  );
}
