/// <reference types="chrome-types" />
import type { Observation } from '@cachescope/model/observation.ts';
import type { PageBatch } from '@cachescope/model/page-batch.ts';
import {
  devtoolsPortPrefix,
  type WatchAnswer,
  type WatchRequest,
  watchRequestSchema,
} from '@cachescope/model/watch-message.ts';
import { announce } from './load-source.ts';
import { documents, putDocument, putObservations } from './load-store.ts';
import { documentsOf, pageObservations, type Sender } from './page-observations.ts';
import { sayAlive, Watches } from './watch.ts';

/** A document's collector reports within so long, when there is one, ms. */
const pageLimitMs = 1500;
/** Changes of a load are announced together, ms. */
const announceAfterMs = 200;
/** A DevTools page whose port broke because the service worker was stopped comes back within so long, ms. */
const reconnectMs = 3000;

/** Answers the page's collectors, the DevTools pages and the panels. Returns the watches for the instrument. */
export function listenToRequests(): Watches {
  const watches = new Watches(changed);
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

/** Content scripts stand in pages, and a page that has taken over its process could speak in their name. */
function mayAsk({ type }: WatchRequest, { url }: chrome.runtime.MessageSender): boolean {
  if (type === 'is-watched' || type === 'page-batch') return true;
  return url?.startsWith(chrome.runtime.getURL('')) === true;
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
      await storeBatch(request.batch, senderOf(sender));
      break;
    case 'devtools-batch':
      await store(watches, request.observations);
      break;
    case 'devtools-navigated':
      setTimeout(() => void storeUnseen(watches, request), pageLimitMs);
      break;
    case 'set-depth':
      await watches.setDepth(request.tabId, request.depth);
  }
  return { done: true };
}

function senderOf({ tab, frameId, documentId }: chrome.runtime.MessageSender): Sender {
  if (tab?.id === undefined || frameId === undefined || documentId === undefined) {
    throw new Error('the batch names no document');
  }
  return { tabId: tab.id, frameId, documentId };
}

async function storeBatch(batch: PageBatch, sender: Sender): Promise<void> {
  if (sender.frameId === 0) {
    for (const document of documentsOf(batch, sender)) await putDocument(document);
  }
  await putObservations(pageObservations(batch, sender));
  changed(sender.tabId);
}

/** A document that our content scripts do not reach: only DevTools tells of its load. */
async function storeUnseen(
  watches: Watches,
  { tabId, url, startedAtMs }: Navigated,
): Promise<void> {
  if ((await watches.depthOf(tabId)) === null) return;
  const isSeen = (await documents()).some(
    (each) => each.tabId === tabId && Math.abs(each.startedAtMs - startedAtMs) < pageLimitMs,
  );
  if (isSeen) return;
  const id = `devtools ${tabId} ${startedAtMs}`;
  await putDocument({
    id,
    tabId,
    documentId: id,
    url,
    startedAtMs,
    navigationType: 'unknown',
    domContentLoadedMs: null,
    loadMs: null,
    droppedEntries: 0,
  });
  changed(tabId);
}

/** What DevTools tells of a tab that the user does not record is not kept. */
async function store(watches: Watches, told: readonly Observation[]): Promise<void> {
  const tabId = told[0]?.tabId;
  if (tabId === undefined || (await watches.depthOf(tabId)) === null) return;
  const observations = told.filter((each) => each.tabId === tabId);
  await putObservations(observations);
  for (const tabId of new Set(observations.map((each) => each.tabId))) changed(tabId);
}

function followDevtools(watches: Watches, port: chrome.runtime.Port): void {
  if (!port.name.startsWith(devtoolsPortPrefix)) return;
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
const changedTabs = new Set<number>();
let announcing: ReturnType<typeof setTimeout> | undefined;

/** Announces the newest load of a tab, soon. */
function changed(tabId: number): void {
  changedTabs.add(tabId);
  announcing ??= setTimeout(() => void announceChanges(), announceAfterMs);
}

async function announceChanges(): Promise<void> {
  announcing = undefined;
  const tabs = new Set(changedTabs);
  changedTabs.clear();
  const ids: string[] = [];
  // The document before may still have told its last while the newest began.
  const mostRecent = Map.groupBy(await documents(), ({ tabId }) => tabId);
  for (const tabId of tabs)
    ids.push(...(mostRecent.get(tabId) ?? []).slice(0, 2).map(({ id }) => id));
  await sayAlive();
  if (ids.length > 0) await announce(ids);
}
