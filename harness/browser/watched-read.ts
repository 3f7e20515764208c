import type { NetworkEvidence } from '@cachescope/model/attribution/evidence.ts';
import type { Browser, CDPSession } from 'puppeteer-core';
import { CachescopeError } from '../error.ts';
import { waitAtMost } from '../time-limit.ts';
import { type Attached, attachToTarget, browserSession, openTabs } from './targets.ts';

/** Time limit for the browser to report the end of the read, ms; on a busy machine its events are late. */
const endLimitMs = 10_000;
/** Time limit for the response's raw headers after that, ms. They come from another process, so also after the end. */
const rawHeadersLimitMs = 200;

/** Attaches over the browser's own session: Puppeteer itself attaches to no page. */
async function attachToPage(browser: Browser, pageUrl: string): Promise<Attached> {
  const root = await browserSession(browser);
  const page = (await openTabs(root)).find(({ url }) => url === pageUrl);
  if (!page) {
    throw new CachescopeError(
      'CS_BROWSER_PAGE',
      `no page shows ${pageUrl}, so its read cannot be watched`,
    );
  }
  const { session, detach } = await attachToTarget(root, page.targetId);
  return { session, detach: () => detach().then(() => root.detach()) };
}

/**
 * Takes one read with the page's Network domain enabled, which slows it: for a confirmation read, never for a timed
 * one. Returns the read's result and the domain's evidence on the request for `url`; null when there is none.
 */
export async function watchRead<Result>(
  browser: Browser,
  pageUrl: string,
  url: string,
  read: () => Promise<Result>,
): Promise<{ result: Result; network: NetworkEvidence | null }> {
  const { session, detach } = await attachToPage(browser, pageUrl);
  try {
    const { ended, rawHeaders, collect } = collectNetworkEvidence(session, url);
    await session.send('Network.enable');
    const result = await read();
    await waitAtMost(endLimitMs, ended);
    await waitAtMost(rawHeadersLimitMs, rawHeaders);
    return { result, network: collect() };
  } finally {
    await detach();
  }
}

/** Collects the Network domain's events of one request. */
interface Collecting {
  /** Settles when the request's end is reported. */
  ended: Promise<void>;
  /** Settles when the raw headers of its response are reported, or Chromium says that it will report none. */
  rawHeaders: Promise<void>;
  collect: () => NetworkEvidence | null;
}

/** Groups events by requestId: the events of one request come in no stable order. */
export function collectNetworkEvidence(session: Pick<CDPSession, 'on'>, url: string): Collecting {
  let requestId: string | undefined;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { promise: rawHeaders, resolve: haveRawHeaders } = Promise.withResolvers<void>();
  const seen = new Map<string, Partial<NetworkEvidence>>();
  const note = (id: string, evidence: Partial<NetworkEvidence>) =>
    seen.set(id, { ...seen.get(id), ...evidence });
  session.on('Network.requestWillBeSent', (event) => {
    if (event.request.url === url) requestId = event.requestId;
  });
  session.on('Network.requestServedFromCache', (event) =>
    note(event.requestId, { requestServedFromCache: true }),
  );
  session.on('Network.responseReceivedExtraInfo', (event) => {
    note(event.requestId, { extraInfoStatus: event.statusCode });
    if (event.requestId === requestId) haveRawHeaders();
  });
  session.on('Network.loadingFinished', (event) => {
    note(event.requestId, { encodedDataLength: event.encodedDataLength });
    if (event.requestId === requestId) end();
  });
  session.on('Network.loadingFailed', (event) => {
    if (event.requestId === requestId) end();
  });
  session.on('Network.responseReceived', ({ requestId: id, response, hasExtraInfo }) => {
    note(id, {
      fromDiskCache: response.fromDiskCache ?? false,
      fromPrefetchCache: response.fromPrefetchCache ?? false,
      fromServiceWorker: response.fromServiceWorker ?? false,
      fromEarlyHints: response.fromEarlyHints ?? false,
      status: response.status,
    });
    const isWhole = !hasExtraInfo || seen.get(id)?.extraInfoStatus !== undefined;
    if (id === requestId && isWhole) haveRawHeaders();
  });
  const unseen = { requestServedFromCache: false, extraInfoStatus: null, encodedDataLength: null };
  const collect = () => {
    const found = requestId === undefined ? undefined : seen.get(requestId);
    // Without a response there is no evidence.
    return found?.status === undefined ? null : ({ ...unseen, ...found } as NetworkEvidence);
  };
  return { ended, rawHeaders, collect };
}
