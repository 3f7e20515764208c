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
import { storedHeads } from './load-heads.ts';
import { forgetLoad } from './load-limit.ts';
import { documents, loadParts } from './load-parts.ts';

type Listener = (ids: readonly string[]) => void;

const listeners = new Set<Listener>();

/** Heads of all loads that are kept, newest first. */
export const loadHeads = storedHeads;

/** Heads of the loads of one tab, newest first. */
export async function loadHeadsOfTab(tabId: number): Promise<LoadHead[]> {
  const ids = new Set(
    (await documents()).filter((each) => each.tabId === tabId).map(({ id }) => id),
  );
  return (await storedHeads()).filter(({ id }) => ids.has(id));
}

/** Ids of the loads that began at a wall-clock time or later, ms. */
export async function loadsSince(timeMs: number): Promise<string[]> {
  return (await documents()).filter((each) => each.startedAtMs >= timeMs).map(({ id }) => id);
}

/** One load with its resources; null when it is no longer kept. */
export async function readLoad(id: string): Promise<Load | null> {
  const parts = await loadParts(id);
  return parts ? joinLoad(parts) : null;
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
  const request: WatchRequest = { type: 'set-depth', tabId, depth };
  const answer: WatchAnswer = await chrome.runtime.sendMessage(request);
  if ('error' in answer) throw new Error(answer.error);
}

const webRequestNeeds: chrome.permissions.Permissions = { permissions: ['webRequest'] };
