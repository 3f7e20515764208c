import type { Protocol } from 'devtools-protocol';
import { expect, test } from 'vitest';
import {
  responseExtraInfo,
  responseReceived,
  wallTimeAtZero,
  willBeSent,
} from '../fake-browser/network-events.ts';
import { NetworkRequest } from './network-request.ts';

const url = 'https://example.test/app.js';
const request = () => new NetworkRequest('debugger 7 1', 7, 'document');
const failed = (more: Partial<Protocol.Network.LoadingFailedEvent>) =>
  ({ requestId: '1', timestamp: 1, type: 'Script', errorText: '', ...more }) as const;

test('a blocked request has evidence without a response, and the blocked reason', () => {
  const made = request();
  made.willBeSent(willBeSent(url));
  expect(made.observation()?.evidence).toBeNull();
  made.failed(failed({ blockedReason: 'csp' }));
  expect(made.observation()).toMatchObject({
    endedAtMs: (wallTimeAtZero + 1) * 1000,
    evidence: { status: 0, extraInfoStatus: null, blockedReason: 'csp' },
  });
});

test('a failed request has the error text, the CORS error and whether it was canceled', () => {
  const made = request();
  made.willBeSent(willBeSent(url));
  made.responseReceived(responseReceived());
  made.failed(
    failed({
      errorText: 'net::ERR_FAILED',
      canceled: true,
      corsErrorStatus: { corsError: 'MissingAllowOriginHeader', failedParameter: '' },
    }),
  );
  expect(made.observation()?.evidence).toMatchObject({
    status: 200,
    errorText: 'net::ERR_FAILED',
    corsError: 'MissingAllowOriginHeader',
    isCanceled: true,
  });
});

test('a preflight is not a use of the page', () => {
  const made = request();
  made.willBeSent(willBeSent(url, { initiator: 'preflight', type: 'Other' }));
  expect(made.observation()).toBeUndefined();
});

test('a WebSocket is one request, open until it is closed', () => {
  const made = request();
  const socketUrl = 'wss://example.test/socket';
  made.socketCreated({ requestId: '1', url: socketUrl });
  made.socketWillOpen({
    requestId: '1',
    timestamp: 0,
    wallTime: wallTimeAtZero,
    request: { headers: { Upgrade: 'websocket' } },
  });
  made.socketOpened({
    requestId: '1',
    timestamp: 1,
    response: { status: 101, statusText: '', headers: { Upgrade: 'websocket' } },
  });
  expect(made.observation()).toMatchObject({
    url: socketUrl,
    endedAtMs: null,
    facts: { type: 'websocket', requestHeaders: [['upgrade', 'websocket']] },
    evidence: { status: 101, extraInfoStatus: 101 },
  });
  made.socketClosed({ requestId: '1', timestamp: 2 });
  expect(made.observation()?.endedAtMs).toBe((wallTimeAtZero + 2) * 1000);
});

const sent = { headers: {} } as Protocol.Network.RequestWillBeSentExtraInfoEvent;
const movedTo = (from: string, more: Partial<Protocol.Network.Response>) => ({
  ...willBeSent(`${url}?target`, { type: 'Fetch' }),
  redirectResponse: { ...responseReceived().response, url, status: 301, ...more },
  redirectHasExtraInfo: from === 'network',
});

test.each(['network', 'disk'])(
  'a redirect from %s that nobody followed is the response',
  (from) => {
    const made = request();
    made.willBeSent(willBeSent(url, { type: 'Fetch' }));
    if (from === 'network') made.requestExtraInfo(sent);
    made.willBeSent(movedTo(from, { fromDiskCache: from === 'disk', encodedDataLength: 212 }));
    if (from === 'network') made.responseExtraInfo(responseExtraInfo(301));
    made.failed(failed({ errorText: 'net::ERR_ABORTED', canceled: true }));
    const { evidence, ...rest } = made.observation() ?? {};
    expect(evidence).toEqual({
      requestServedFromCache: false,
      fromDiskCache: from === 'disk',
      fromPrefetchCache: false,
      fromServiceWorker: false,
      fromEarlyHints: false,
      status: 301,
      extraInfoStatus: from === 'network' ? 301 : null,
      encodedDataLength: 212,
    });
    expect(rest).not.toHaveProperty('finalUrl');
  },
);

test('a request that was given up while its redirect was followed has failed', () => {
  const made = request();
  made.willBeSent(willBeSent(url, { type: 'Fetch' }));
  made.requestExtraInfo(sent);
  made.willBeSent(movedTo('network', {}));
  made.requestExtraInfo(sent);
  made.failed(failed({ errorText: 'net::ERR_ABORTED', canceled: true }));
  expect(made.observation()).toMatchObject({
    finalUrl: `${url}?target`,
    evidence: { status: 0, errorText: 'net::ERR_ABORTED' },
  });
});
