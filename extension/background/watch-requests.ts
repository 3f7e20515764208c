/// <reference types="chrome-types" />
import { lateMs } from '@cachescope/model/load/load-span.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import type { PageBatch } from '@cachescope/model/load/page-batch.ts';
import {
  devtoolsPortPrefix,
  type WatchAnswer,
  type WatchRequest,
  watchRequestSchema,
} from '@cachescope/model/load/watch-message.ts';
import { announce } from '../loads/load-source.ts';
import { hasReported, putDocument, putObservations } from '../loads/load-store.ts';
import { hasSiteAccess } from '../loads/site-access.ts';
import { recordedUntilMs } from '../loads/watch-store.ts';
import { documentsOf, pageObservations, type Sender } from './page-observations.ts';
import { Watches } from './watch.ts';

/** Time after which a document without a collector becomes a load on DevTools' report alone, ms. */
const unseenAfterMs = 1500;
/** The same time for a document with a collector, ms: a collector reports after the load event or within this time. */
const pageLimitMs = 6000;
/** Changes of loads are announced together after this time, ms. */
const announceAfterMs = 200;
/**
 * A DevTools page whose port disconnects because the service worker was stopped connects again within this time, ms.
 */
const reconnectMs = 3000;

/** Answers messages of page collectors, DevTools pages and panels. Returns the watches for the instrument. */
export function listenToRequests(): Watches {
  const watches: Watches = new Watches((loads) => changed(watches, loads));
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    const read = watchRequestSchema.safeParse(message);
    if (!read.success) return false;
    if (!mayAsk(read.data, sender)) {
      respond({ error: 'only the extension’s own pages may ask for this' });
      return false;
    }
    void answer(watches, read.data, sender).then(respond, (error: unknown) =>
      respond({ error: String(error) }),
    );
    return true;
  });
  chrome.runtime.onConnect.addListener((port) => followDevtools(watches, port));
  chrome.tabs.onRemoved.addListener((tabId) => void watches.setDepth(tabId, null));
  return watches;
}

/** Content scripts run in pages, and a compromised renderer process could send messages in their name. */
function mayAsk({ type }: WatchRequest, sender: chrome.runtime.MessageSender): boolean {
  if (type === 'is-watched' || type === 'page-batch') return true;
  return isOurs(sender);
}

/** Whether the sender is a page of the extension. */
function isOurs(sender: chrome.runtime.MessageSender | undefined): boolean {
  return sender?.url?.startsWith(chrome.runtime.getURL('')) === true;
}

type Navigated = Extract<WatchRequest, { type: 'devtools-navigated' }>;

async function answer(
  watches: Watches,
  request: WatchRequest,
  sender: chrome.runtime.MessageSender,
): Promise<WatchAnswer> {
  switch (request.type) {
    case 'is-watched': {
      const tabId = sender.tab?.id;
      const depth = tabId === undefined ? null : await watches.depthOf(tabId);
      return { done: true, isWatched: depth !== null };
    }
    case 'page-batch':
      await storeBatch(watches, request.batch, senderOf(sender, request.batch));
      break;
    case 'devtools-batch':
      await store(watches, request.observations);
      break;
    case 'devtools-navigated':
      await expectDocument(watches, request);
      break;
    case 'set-depth':
      await watches.setDepth(request.tabId, request.depth);
      break;
    case 'clear-cache':
      await watches.tellBrowser(request.tabId, 'Network.clearBrowserCache');
      break;
    case 'block-urls':
      await watches.tellBrowser(request.tabId, 'Network.setBlockedURLs', { urls: request.urls });
  }
  return { done: true };
}

function senderOf(
  { tab, frameId, documentId, documentLifecycle }: chrome.runtime.MessageSender,
  { isTop = false }: PageBatch,
): Sender {
  if (tab?.id === undefined || frameId === undefined || documentId === undefined) {
    throw new Error('the batch names no document');
  }
  // Chromium gives a tab's document frameId 0 only as long as it is shown.
  const wasLeft = documentLifecycle === 'cached' || documentLifecycle === 'pending_deletion';
  return { tabId: tab.id, frameId: isTop && wasLeft ? 0 : frameId, documentId };
}

async function storeBatch(watches: Watches, batch: PageBatch, sender: Sender): Promise<void> {
  const untilMs = batch.mayBeUnwatched ? await recordedUntilMs(sender.tabId) : Infinity;
  const isRecorded = ({ startedAtMs }: { startedAtMs: number }): boolean => startedAtMs <= untilMs;
  const documents = sender.frameId === 0 ? documentsOf(batch, sender) : [];
  const loads: string[] = [];
  for (const document of documents.filter(isRecorded)) loads.push(...(await putDocument(document)));
  const observations = pageObservations(batch, sender);
  loads.push(...(await putObservations(observations.filter(isRecorded))));
  changed(watches, loads);
}

async function expectDocument(watches: Watches, navigated: Navigated): Promise<void> {
  const limitMs = (await hasSiteAccess(navigated.url)) ? pageLimitMs : unseenAfterMs;
  setTimeout(() => void storeUnseen(watches, navigated), limitMs);
}

/** Stores a provisional load for a document without content scripts: only DevTools reports it. */
async function storeUnseen(
  watches: Watches,
  { tabId, url, startedAtMs }: Navigated,
): Promise<void> {
  if ((await watches.depthOf(tabId)) === null) return;
  if (await hasReported(tabId, url, startedAtMs)) return;
  const id = `devtools ${tabId} ${startedAtMs}`;
  await putDocument({
    id,
    tabId,
    documentId: id,
    url,
    startedAtMs,
    isProvisional: true,
    navigationType: 'unknown',
    domContentLoadedMs: null,
    loadMs: null,
    droppedEntries: 0,
  });
  changed(watches, [id]);
}

/** DevTools observations of a tab that is not recorded, and of requests that began after it was, are dropped. */
async function store(watches: Watches, all: readonly Observation[]): Promise<void> {
  const tabId = all[0]?.tabId;
  if (tabId === undefined) return;
  const untilMs = await recordedUntilMs(tabId);
  const observations = all.filter((each) => each.tabId === tabId && each.startedAtMs <= untilMs);
  changed(watches, await putObservations(observations));
}

function followDevtools(watches: Watches, port: chrome.runtime.Port): void {
  if (!port.name.startsWith(devtoolsPortPrefix) || !isOurs(port.sender)) return;
  const tabId = Number(port.name.slice(devtoolsPortPrefix.length));
  openPorts.set(tabId, port);
  void watches.devtools(tabId, true);
  port.onDisconnect.addListener(() => {
    setTimeout(() => {
      if (openPorts.get(tabId) === port) void watches.devtools(tabId, false);
    }, reconnectMs);
  });
}

const openPorts = new Map<number, chrome.runtime.Port>();
const changedLoads = new Set<string>();
let announcing: ReturnType<typeof setTimeout> | undefined;

/** Announces changed loads after a short delay. */
function changed(watches: Watches, loads: readonly string[]): void {
  for (const id of loads) changedLoads.add(id);
  announcing ??= setTimeout(() => void announceChanges(watches), announceAfterMs);
}

async function announceChanges(watches: Watches): Promise<void> {
  announcing = undefined;
  const loads = [...changedLoads];
  changedLoads.clear();
  for (const id of loads) recentLoads.add(id);
  clearTimeout(ending);
  ending = setTimeout(() => void announceEnd(watches), lateMs + 1);
  await watches.noteObservedUntil();
  await announce(loads);
}

const recentLoads = new Set<string>();
let ending: ReturnType<typeof setTimeout> | undefined;

/** From now on no earlier observation can arrive, so missing evidence of a witness counts for the last uses too. */
async function announceEnd(watches: Watches): Promise<void> {
  const loads = [...recentLoads];
  recentLoads.clear();
  await watches.noteObservedUntil();
  await announce(loads);
}
