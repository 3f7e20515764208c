import {
  type LabLink,
  labLinkKey,
  labLinkSchema,
  labPaths,
} from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { checked } from '@cachescope/model/parsed.ts';

/** A load changes while its resources arrive; it is sent after this time without a change, ms. */
const quietMs = 500;
/** A load that never stops changing is sent at this interval, ms. */
const longestMs = 5_000;

/** First delay before an unreachable lab is retried, ms; it doubles each time, up to the longest. */
const retryMs = 1_000;
const longestRetryMs = 30_000;

/** Maximum length of the lab's reason for refusing a load, in characters. */
const mostReason = 300;

/** Access to the loads, as far as the link needs it. */
export interface LoadSource {
  /** Ids of the loads that began at a wall-clock time or later, ms. */
  loadsSince(timeMs: number): Promise<string[]>;
  /** null when the load has been deleted meanwhile. */
  readLoad(id: string): Promise<Load | null>;
  onLoadsChanged(listener: (ids: readonly string[]) => void): void;
}

/** Sends the extension's loads to the lab that started the browser. Without a lab nothing is sent. */
export interface LabSaver {
  /** Keeps the link until the browser exits; loads from now on are sent. */
  connect(link: LabLink): Promise<void>;
  /**
   * Sends all pending loads at once; settles when the lab has them or cannot be reached.
   *
   * @throws when the lab has refused loads: the message names the first, with the lab's reason.
   */
  saveLoads(): Promise<void>;
}

/** The stored link, which outlives the service worker. */
interface KeptLink extends LabLink {
  /** ISO 8601, UTC: earlier loads belong to another launch, and the lab has them. */
  connectedAt: string;
}

async function keptLink(): Promise<KeptLink | null> {
  const { [labLinkKey]: kept } = await chrome.storage.session.get(labLinkKey);
  const read = checked('lab', labLinkSchema, kept);
  return 'value' in read ? (kept as KeptLink) : null;
}

/**
 * Result of sending a load: `kept`: the lab has it; `unreached`: retry later; `refused`: a retry would be refused too.
 */
type Sent = 'kept' | 'unreached' | { refused: string };

async function send({ url, token }: LabLink, load: Load): Promise<Sent> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(load) };
  try {
    const response = await fetch(url + labPaths.loads, request);
    if (response.ok) return 'kept';
    if (response.status >= 500) return 'unreached';
    const reason = await response.text();
    return { refused: `status ${response.status}: ${reason.slice(0, mostReason)}` };
  } catch {
    return 'unreached';
  }
}

/** Sends every load to the lab once it stops changing, and again after each change: the lab keeps the last version. */
export function createLabSaver(source: LoadSource): LabSaver {
  const waiting = new Set<string>();
  /** Loads that the lab refused, with its reason; reported when loads are saved on request. */
  const refused = new Map<string, string>();
  let failures = 0;
  let waitingSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Sends run one after another: when the last one settles, all loads are sent. */
  let sending: Promise<void> = Promise.resolve();

  async function sendWaiting(): Promise<void> {
    const link = await keptLink();
    const ids = [...waiting];
    waiting.clear();
    if (!link) return;
    let isReached = true;
    for (const id of ids) {
      const load = await source.readLoad(id).catch(() => undefined);
      const sent = load ? await send(link, load) : load === null ? 'kept' : 'unreached';
      if (sent === 'unreached') {
        waiting.add(id);
        isReached = false;
      } else if (sent === 'kept') refused.delete(id);
      else refused.set(id, sent.refused);
    }
    if (isReached) failures = 0;
    else wait(Math.min(longestRetryMs, retryMs * 2 ** failures++));
  }

  async function saveLoads(): Promise<void> {
    await sendInTurn();
    if (refused.size === 0) return;
    const [[id, reason] = ['', '']] = refused;
    const others = refused.size > 1 ? `, and ${refused.size - 1} more` : '';
    refused.clear();
    throw new Error(`the lab refused the load ${id} (${reason})${others}: it is not saved there`);
  }

  function sendInTurn(): Promise<void> {
    clearTimeout(timer);
    sending = sending.then(sendWaiting, sendWaiting);
    return sending;
  }

  function wait(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void sendInTurn(), delayMs);
  }

  function saveSoon(ids: readonly string[]): void {
    if (waiting.size === 0) waitingSince = Date.now();
    for (const id of ids) waiting.add(id);
    const leftMs = Math.max(0, waitingSince + longestMs - Date.now());
    wait(Math.min(quietMs, leftMs));
  }

  /** The loads pending when the service worker was stopped are unknown: sends all loads since the link was made. */
  async function resume(): Promise<void> {
    const link = await keptLink();
    if (link) saveSoon(await source.loadsSince(Date.parse(link.connectedAt)));
  }

  source.onLoadsChanged(saveSoon);
  void resume();
  return {
    async connect({ url, token }) {
      const kept: KeptLink = { url, token, connectedAt: new Date().toISOString() };
      await chrome.storage.session.set({ [labLinkKey]: kept });
    },
    saveLoads,
  };
}
