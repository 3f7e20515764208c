import type { Browser, CDPSession, Page, Protocol } from 'puppeteer-core';
import { CachescopeError, messageOf } from '../error.ts';
import { inBriefBrowser } from './brief-browser.ts';
import { anyHostFlags, startIn } from './start.ts';
import { recordedHar, type RecordedRequest } from './recorded-har.ts';

/** Options of a recording. */
export interface Recording {
  chromiumPath: string;
  url: string;
  /** Hosts other than this machine may be contacted. */
  external: boolean;
}

/** Time limit for a page to load, and then to become idle, ms. */
const loadLimitMs = 60_000;
const quietMs = 1000;

/**
 * Loads a page once, in a fresh profile, and returns its HAR as DevTools would export it, with bodies, initiators and
 * priorities.
 *
 * @throws CachescopeError CS_PAGELOAD_RECORD when the page does not load.
 */
export async function recordHar(recording: Recording): Promise<object> {
  const { chromiumPath, url, external } = recording;
  const extra = external ? anyHostFlags : [];
  const defaultViewport = { width: 1280, height: 800 };
  const start = (directory: string) => startIn(directory, chromiumPath, extra, { defaultViewport });
  try {
    return await inBriefBrowser('record', start, (browser) => recordIn(browser, url));
  } catch (error) {
    throw new CachescopeError(
      'CS_PAGELOAD_RECORD',
      `${url} could not be recorded: ${messageOf(error)}`,
      { hint: 'Open it in a browser on this machine to see whether it answers.', cause: error },
    );
  }
}

async function recordIn(browser: Browser, url: string): Promise<object> {
  const page = await browser.newPage();
  const session = await page.createCDPSession();
  const requests = await watch(session);
  await page.goto(url, { waitUntil: 'load', timeout: loadLimitMs });
  await quiet(page);
  await readBodies(session, requests);
  return recordedHar(url, [...requests.values()]);
}

/** A page that never becomes idle is recorded anyway. */
async function quiet(page: Page): Promise<void> {
  await page
    .waitForNetworkIdle({ idleTime: quietMs, timeout: loadLimitMs / 4 })
    .catch(() => undefined);
}

/** Follows every request of the page from now on, by its id. A redirected request keeps its id. */
async function watch(session: CDPSession): Promise<Map<string, RecordedRequest>> {
  const requests = new Map<string, RecordedRequest>();
  session.on('Network.requestWillBeSent', (event) => {
    const { requestId, redirectResponse: response, timestamp } = event;
    const redirect = requests.get(requestId);
    if (redirect && response) {
      const { encodedDataLength } = response;
      const ended = { ...redirect, response, endedAt: timestamp, encodedDataLength };
      requests.set(`${requestId} redirect ${requests.size}`, ended);
    }
    requests.set(requestId, begun(event));
  });
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { response, type });
  });
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bodyBytes += dataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { endedAt: timestamp, encodedDataLength });
  });
  await session.send('Network.enable', { maxTotalBufferSize: 512 * 1024 ** 2 });
  return requests;
}

function begun(event: Protocol.Network.RequestWillBeSentEvent): RecordedRequest {
  const { request, wallTime, timestamp, initiator, type = 'Other' } = event;
  return {
    url: request.url,
    method: request.method,
    priority: request.initialPriority,
    startedAtMs: wallTime * 1000,
    startedAt: timestamp,
    initiator,
    type,
    bodyBytes: 0,
  };
}

async function readBodies(
  session: CDPSession,
  requests: ReadonlyMap<string, RecordedRequest>,
): Promise<void> {
  for (const [requestId, request] of requests) {
    if (request.endedAt === undefined) continue;
    // A body that the browser has evicted meanwhile is synthesized later.
    const body = await session
      .send('Network.getResponseBody', { requestId })
      .catch(() => undefined);
    if (body) request.body = body;
  }
}
