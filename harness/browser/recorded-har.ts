import {
  harArchive,
  type HarExchange,
  isoDate,
  unknownPhases,
} from '@cachescope/model/har/archive.ts';
import { isSecretHeader } from '@cachescope/model/load/sanitized-load.ts';
import type { Har } from 'har-format';
import type { Protocol } from 'puppeteer-core';

/** The DevTools protocol's data of one request. */
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
  /** Decoded size of the body, bytes. */
  bodyBytes: number;
  /** Bytes on the wire, headers included; absent while the request is not finished. */
  encodedDataLength?: number;
  body?: Protocol.Network.GetResponseBodyResponse;
}

/** A HAR of these requests, with DevTools' own fields and values. */
export function recordedHar(url: string, requests: readonly RecordedRequest[]): Har {
  const ended = requests
    .filter(({ response }) => response !== undefined)
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const page = {
    id: 'page_1',
    startedDateTime: isoDate(ended[0]?.startedAtMs ?? Date.now()),
    title: url,
    pageTimings: {},
  };
  return harArchive({ name: 'WebInspector', version: '537.36' }, [page], ended.map(exchangeOf));
}

function exchangeOf(request: RecordedRequest): HarExchange {
  const { response, body, bodyBytes, encodedDataLength } = request;
  const headersBytes = response?.headersText?.length ?? 0;
  const isCached = response?.fromDiskCache === true;
  const wireBytes = encodedDataLength === undefined ? -1 : encodedDataLength - headersBytes;
  return {
    pageref: 'page_1',
    startedAtMs: request.startedAtMs,
    method: request.method,
    url: request.url,
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    httpVersion: response?.protocol ?? '',
    requestHeaders: harmless(response?.requestHeaders),
    responseHeaders: harmless(response?.headers),
    timings: phasesOf(request),
    responseHeadersBytes: headersBytes || -1,
    bodyBytes: isCached ? 0 : wireBytes > 0 ? wireBytes : -1,
    content: {
      size: bodyBytes,
      mimeType: response?.mimeType ?? '',
      ...(body && { text: body.body, ...(body.base64Encoded && { encoding: 'base64' }) }),
    },
    custom: {
      _initiator: request.initiator,
      _priority: request.priority,
      _resourceType: request.type.toLowerCase(),
      ...(isCached && { _fromCache: 'disk' }),
    },
    responseCustom: {
      ...(encodedDataLength !== undefined && { _transferSize: encodedDataLength }),
    },
  };
}

function harmless(headers: Protocol.Network.Headers = {}): [string, string][] {
  return Object.entries(headers).filter(([name]) => !isSecretHeader(name));
}

/** From Network.ResourceTiming: ms since `requestTime`, -1 where a phase did not take place. */
function phasesOf({ startedAt, endedAt, response }: RecordedRequest): HarExchange['timings'] {
  const totalMs = endedAt === undefined ? null : Math.max(0, (endedAt - startedAt) * 1000);
  const timing = response?.timing;
  if (!timing || totalMs === null) return unknownPhases(totalMs);
  const queuedMs = (timing.requestTime - startedAt) * 1000;
  const at = (ms: number) => Math.min(totalMs, Math.max(0, queuedMs + ms));
  const span = (from: number, to: number) => (from < 0 || to < 0 ? -1 : at(to) - at(from));
  const dns = span(timing.dnsStart, timing.dnsEnd);
  const connect = span(timing.connectStart, timing.connectEnd);
  const send = Math.max(0, span(timing.sendStart, timing.sendEnd));
  const before = Math.max(0, dns) + Math.max(0, connect);
  const sendStart = at(timing.sendStart);
  const firstByte = Math.max(at(timing.receiveHeadersEnd), sendStart + send);
  return {
    blocked: Math.max(0, sendStart - before),
    dns,
    connect,
    ssl: span(timing.sslStart, timing.sslEnd),
    send,
    wait: firstByte - sendStart - send,
    receive: totalMs - firstByte,
  };
}
