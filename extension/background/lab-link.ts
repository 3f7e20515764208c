import {
  type LabLink,
  labLinkKey,
  labLinkSchema,
  labPaths,
} from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { checked } from '@cachescope/model/parsed.ts';

/** A load changes while its resources come in; it is sent when it has been quiet for so long, ms. */
const quietMs = 500;
/** A page that never gets quiet has its load sent so often, ms. */
const longestMs = 5_000;

/** A lab that could not be reached is tried again after so long, ms; each time twice as long, up to the most. */
const retryMs = 1_000;
const longestRetryMs = 30_000;

/** Characters kept of why the lab refused a load. */
const mostReason = 300;

/** Where the loads come from, as far as the link needs it. */
export interface LoadSource {
  /** Ids of the loads that began at a wall-clock time or later, ms. */
  loadsSince(timeMs: number): Promise<string[]>;
  /** null when it has been dropped meanwhile. */
  readLoad(id: string): Promise<Load | null>;
  onLoadsChanged(listener: (ids: readonly string[]) => void): void;
}

/** How the extension hands its loads to the lab that it runs in. Without a lab nothing is sent anywhere. */
export interface LabSaver {
  /** Keeps the link until the browser ends; loads from now on are sent. */
  connect(link: LabLink): Promise<void>;
  /**
   * Sends at once what is still waiting; settles when the lab has it, or cannot be reached.
   *
   * @throws when the lab has refused loads: they are named, with its reason.
   */
  saveLoads(): Promise<void>;
}

/** The link as it is kept, which outlives the service worker. */
interface KeptLink extends LabLink {
  /** ISO 8601, UTC: loads before belong to another launch, and the lab has them. */
  connectedAt: string;
}

async function keptLink(): Promise<KeptLink | null> {
  const { [labLinkKey]: kept } = await chrome.storage.session.get(labLinkKey);
  const read = checked('lab', labLinkSchema, kept);
  return 'value' in read ? (kept as KeptLink) : null;
}

/** What became of a load: the lab has it, cannot be reached for now, or would refuse it again. */
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

/** Sends every load to the lab, once it is quiet, and again when it has changed: the lab keeps the last. */
export function createLabSaver(source: LoadSource): LabSaver {
  const waiting = new Set<string>();
  /** Loads that the lab refused, with its reason; told when loads are saved on request. */
  const refused = new Map<string, string>();
  let failures = 0;
  let waitingSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One sending after another, so that the last to settle means that all are sent. */
  let sending: Promise<void> = Promise.resolve();

  async function sendWaiting(): Promise<void> {
    const link = await keptLink();
    const ids = [...waiting];
    waiting.clear();
    if (!link) return;
    for (const id of ids) {
      const load = await source.readLoad(id).catch(() => undefined);
      const sent = load ? await send(link, load) : load === null ? 'kept' : 'unreached';
      if (sent === 'unreached') waiting.add(id);
      else if (sent === 'kept') refused.delete(id);
      else refused.set(id, sent.refused);
    }
    if (waiting.size === 0) failures = 0;
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

  /** What was waiting when the service worker was stopped is not known any more: all loads since the link was made. */
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
