/// <reference types="chrome-types" />
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import { joinLoad } from '@cachescope/model/load/join.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import {
  type LoadsChanged,
  loadsChangedSchema,
  type WatchAnswer,
  type WatchRequest,
} from '@cachescope/model/load/watch-message.ts';
import { database, type StoredHead } from './load-database.ts';
import { forgetLoad } from './load-limit.ts';
import { documents, loadParts } from './load-parts.ts';

type Listener = (ids: readonly string[]) => void;

const listeners = new Set<Listener>();

/** Heads of all loads that are kept, newest first. Only loads that have changed since they were read are joined again. */
export async function loadHeads(): Promise<LoadHead[]> {
  const db = await database();
  const changes = new Map((await db.getAll('changes')).map(({ id, count }) => [id, count]));
  const stored = new Map((await db.getAll('heads')).map((each) => [each.id, each]));
  const heads: LoadHead[] = [];
  for (const { id } of await documents()) {
    const count = changes.get(id) ?? 0;
    const known = stored.get(id);
    if (known?.count === count) {
      heads.push(known.head);
      continue;
    }
    const load = await readLoad(id);
    if (load) heads.push(headOf(load));
  }
  return heads;
}

function headOf({ resources, ...head }: Load): LoadHead {
  return { ...head, resourceCount: resources.length };
}

/** A slower, older join neither replaces a newer one nor restores a forgotten load. */
async function putHead(made: StoredHead): Promise<void> {
  const db = await database();
  const transaction = db.transaction(['heads', 'documents'], 'readwrite');
  const known = await transaction.objectStore('heads').get(made.id);
  const document = await transaction.objectStore('documents').get(made.id);
  const isWanted = document !== undefined && document.isForgotten !== true;
  if (isWanted && (known === undefined || known.count < made.count))
    void transaction.objectStore('heads').put(made);
  await transaction.done;
}

/** Id of the newest load of one tab; undefined when there is none. */
export async function newestOfTab(tabId: number): Promise<string | undefined> {
  return (await documents()).find((each) => each.tabId === tabId)?.id;
}

/** Ids of the loads that began at a wall-clock time or later, ms. */
export async function loadsSince(timeMs: number): Promise<string[]> {
  return (await documents()).filter((each) => each.startedAtMs >= timeMs).map(({ id }) => id);
}

/** One load with its resources; null when it is no longer kept. Its head is stored, and is then not joined again. */
export async function readLoad(id: string): Promise<Load | null> {
  // Read before the join: later changes make the head outdated.
  const count = (await (await database()).get('changes', id))?.count ?? 0;
  const parts = await loadParts(id);
  if (!parts) return null;
  const load = joinLoad(parts);
  await putHead({ id, count, head: headOf(load) });
  return load;
}

/** Forgets a load for good. */
export async function forget(id: string): Promise<void> {
  await forgetLoad(id);
  await announce([id]);
}

/** Calls back with the loads that are new, have changed or were removed. */
export function onLoadsChanged(listener: Listener): void {
  listeners.add(listener);
}

/** Notifies all parts of the extension that loads have changed. */
export async function announce(ids: readonly string[]): Promise<void> {
  hear(ids);
  const message: LoadsChanged = { type: 'loads-changed', ids: [...ids] };
  // The message has no receiver while no panel is open.
  await chrome.runtime.sendMessage(message).catch(() => undefined);
}

function hear(ids: readonly string[]): void {
  for (const listener of listeners) listener(ids);
}

/** Listens to announcements of other parts of the extension; in a report there are none. */
export function listenToAnnouncements(): void {
  chrome.runtime.onMessage.addListener((message: unknown) => {
    const read = loadsChangedSchema.safeParse(message);
    if (read.success) hear(read.data.ids);
  });
}

/** How closely a tab is watched; null: not at all. */
export async function currentDepth(tabId: number): Promise<EvidenceDepth | null> {
  const { depths } = await chrome.storage.session.get('depths');
  return (depths as Record<string, EvidenceDepth> | undefined)?.[tabId] ?? null;
}

/**
 * Sets how closely a tab is watched; null: not at all. Call it on a click: Chromium asks the user for the permissions
 * that the depth needs.
 *
 * @throws when the user refuses, or the depth is unavailable.
 */
export async function setDepth(tabId: number, depth: EvidenceDepth | null): Promise<void> {
  if (depth === 'webRequest' && !(await chrome.permissions.request(webRequestNeeds))) {
    throw new Error('the depth webRequest needs the permission webRequest, which was refused');
  }
  await ask({ type: 'set-depth', tabId, depth });
}

/** Empties the browser's cache. @throws when the debugger is not attached to the tab. */
export async function clearBrowserCache(tabId: number): Promise<void> {
  await ask({ type: 'clear-cache', tabId });
}

/** Blocks exactly these URLs in a tab, until its depth changes. @throws when the debugger is not attached to it. */
export async function blockUrls(tabId: number, urls: readonly string[]): Promise<void> {
  await ask({ type: 'block-urls', tabId, urls: [...urls] });
}

async function ask(request: WatchRequest): Promise<void> {
  const answer: WatchAnswer = await chrome.runtime.sendMessage(request);
  if ('error' in answer) throw new Error(answer.error);
}

const webRequestNeeds: chrome.permissions.Permissions = { permissions: ['webRequest'] };
