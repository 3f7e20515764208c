import { knownFields } from '@cachescope/model/known-fields.ts';
import type { Protocol } from 'devtools-protocol';

type Response = Partial<Protocol.Network.Response>;

/** Wall-clock time of a request at `timestamp` 0 of these events, s since the epoch. */
export const wallTimeAtZero = 1_800_000_000;

/** `requestWillBeSent` of one request, `timestamp` in s; with `redirectResponse` the request is redirected to `url`. */
export function willBeSent(
  url: string,
  more: {
    timestamp?: number;
    type?: string;
    initiator?: string;
    loaderId?: string;
    redirectResponse?: Response;
  } = {},
) {
  const { timestamp = 0, type = 'Script', initiator = 'parser', loaderId, redirectResponse } = more;
  return {
    requestId: '1',
    request: { url, method: 'GET', headers: { 'User-Agent': 'Chromium' } },
    timestamp,
    wallTime: wallTimeAtZero + timestamp,
    type,
    initiator: { type: initiator },
    ...knownFields({ loaderId, redirectResponse }),
  } as unknown as Protocol.Network.RequestWillBeSentEvent;
}

export function responseReceived(response: Response = {}, type = 'Script') {
  const whole = { status: 200, mimeType: 'text/javascript', headers: {}, ...response };
  return { requestId: '1', type, response: whole } as Protocol.Network.ResponseReceivedEvent;
}

/** Sent only for requests that used the network; comes before or after `responseReceived`. */
export function responseExtraInfo(statusCode: number, headers: Record<string, string> = {}) {
  return { requestId: '1', statusCode, headers } as Protocol.Network.ResponseReceivedExtraInfoEvent;
}

export function dataReceived(dataLength: number) {
  return { requestId: '1', dataLength } as Protocol.Network.DataReceivedEvent;
}

export function loadingFinished(
  encodedDataLength: number,
  timestamp = 1,
): Protocol.Network.LoadingFinishedEvent {
  return { requestId: '1', encodedDataLength, timestamp };
}
