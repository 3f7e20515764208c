import type { Resource } from '@cachescope/model/load/load.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import type { NetworkRequest } from './network-request.ts';

type Events = ProtocolMapping.Events;

/** How a request takes each event of the Network domain. */
const eventHandlers: {
  readonly [Method in keyof Events]?: (request: NetworkRequest, event: Events[Method][0]) => void;
} = {
  'Network.requestWillBeSent': (request, event) => request.willBeSent(event),
  'Network.requestWillBeSentExtraInfo': (request, event) => request.requestExtraInfo(event),
  'Network.requestServedFromCache': (request) => request.servedFromCache(),
  'Network.responseReceived': (request, event) => request.responseReceived(event),
  'Network.responseReceivedExtraInfo': (request, event) => request.responseExtraInfo(event),
  'Network.dataReceived': (request, event) => request.dataReceived(event),
  'Network.loadingFinished': (request, event) => request.finished(event),
  'Network.loadingFailed': (request, event) => request.failed(event),
  'Network.webSocketCreated': (request, event) => request.socketCreated(event),
  'Network.webSocketWillSendHandshakeRequest': (request, event) => request.socketWillOpen(event),
  'Network.webSocketHandshakeResponseReceived': (request, event) => request.socketOpened(event),
  'Network.webSocketClosed': (request, event) => request.socketClosed(event),
};

const handlersByMethod = new Map(Object.entries(eventHandlers));

/** Methods of the events that tell of a request. */
export const requestEvents: readonly string[] = [...handlersByMethod.keys()];

/** Returns whether the event's method is one of those that tell of a request. */
export function tell(request: NetworkRequest, method: string, event: unknown): boolean {
  const handle = handlersByMethod.get(method);
  handle?.(request, event as never);
  return handle !== undefined;
}

/** The context of a target's requests. */
export function contextOf(targetType: string): Resource['context'] {
  if (targetType === 'service_worker') return 'service-worker';
  if (targetType === 'worker' || targetType === 'shared_worker') return 'worker';
  return targetType === 'iframe' ? 'frame' : 'unknown';
}

const ends: ReadonlySet<string> = new Set([
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Network.webSocketClosed',
]);

/** Whether a request has ended with this event; more of its events may follow. */
export function isEnd(method: string): boolean {
  return ends.has(method);
}

/** The document of a tab that `Page.frameNavigated` reports as restored from the back/forward cache. */
export function restoredDocument(tabId: number, url: string): Observation {
  // The event has no timestamp; the join replaces this time by that of the restore that the page reported.
  const now = Date.now();
  return {
    witness: 'debugger',
    key: `debugger restored ${tabId} ${now}`,
    tabId,
    url,
    startedAtMs: now,
    endedAtMs: now,
    context: 'document',
    facts: { type: 'document' },
    evidence: {
      requestServedFromCache: false,
      fromDiskCache: false,
      fromPrefetchCache: false,
      fromServiceWorker: false,
      fromEarlyHints: false,
      status: 200,
      extraInfoStatus: null,
      encodedDataLength: null,
      isBackForwardRestore: true,
    },
  };
}
