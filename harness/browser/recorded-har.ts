import type { Protocol } from 'puppeteer-core';

/** What the DevTools protocol told of one request. */
export interface RecordedRequest {
  url: string;
  method: string;
  priority: string;
  /** Wall clock, ms since 1970. */
  startedAtMs: number;
  /** Monotonic, s. */
  startedAt: number;
  endedAt?: number;
  initiator: Protocol.Network.Initiator;
  type: string;
  response?: Protocol.Network.Response;
  /** After content decoding. */
  bodyBytes: number;
  /** Headers included; absent while it is not finished. */
  encodedDataLength?: number;
  body?: Protocol.Network.GetResponseBodyResponse;
}

/** An HTTP Archive (1.2) of these requests, with DevTools' own fields and in its words. */
export function recordedHar(url: string, requests: readonly RecordedRequest[]): object {
  const ended = requests.filter(({ response }) => response !== undefined);
  const startedDateTime = new Date(ended[0]?.startedAtMs ?? Date.now()).toISOString();
  const page = { id: 'page_1', startedDateTime, title: url, pageTimings: {} };
  return {
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      pages: [page],
      entries: ended.map(entryOf),
    },
  };
}

function entryOf(request: RecordedRequest): object {
  const { response, body, bodyBytes, startedAt, endedAt, encodedDataLength } = request;
  const headersBytes = response?.headersText?.length ?? 0;
  const wireBytes = encodedDataLength === undefined ? -1 : encodedDataLength - headersBytes;
  return {
    pageref: 'page_1',
    startedDateTime: new Date(request.startedAtMs).toISOString(),
    time: endedAt === undefined ? -1 : Math.max(0, (endedAt - startedAt) * 1000),
    _initiator: request.initiator,
    _priority: request.priority,
    _resourceType: request.type.toLowerCase(),
    request: { method: request.method, url: request.url, headers: [] },
    response: {
      status: response?.status ?? 0,
      headers: Object.entries(response?.headers ?? {}).map(([name, value]) => ({ name, value })),
      headersSize: headersBytes || -1,
      bodySize: wireBytes > 0 ? wireBytes : -1,
      content: {
        size: bodyBytes,
        mimeType: response?.mimeType ?? '',
        ...(body && { text: body.body, ...(body.base64Encoded && { encoding: 'base64' }) }),
      },
    },
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 0, receive: 0 },
  };
}
