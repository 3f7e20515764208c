import { type LabLink, labLinkKey, labLinkSchema, labPaths } from '@cachescope/model/lab.ts';
import type { Load, LoadHead } from '@cachescope/model/load.ts';
import { checked } from '@cachescope/model/parsed.ts';

/** A load changes while its resources come in; it is sent when it has been quiet for so long, ms. */
const quietMs = 500;
/** A page that never gets quiet has its load sent so often, ms. */
const longestMs = 5_000;

/** Where the loads come from, as far as the link needs it. */
export interface LoadSource {
  loadHeads(): Promise<LoadHead[]>;
  /** null when it has been dropped meanwhile. */
  readLoad(id: string): Promise<Load | null>;
  onLoadsChanged(listener: (ids: readonly string[]) => void): void;
}

/** How the extension hands its loads to the lab that it runs in. Without a lab nothing is sent anywhere. */
export interface LabSaver {
  /** Keeps the link until the browser ends; loads from now on are sent. */
  connect(link: LabLink): Promise<void>;
  /** Sends at once what is still waiting; settles when the lab has it, or cannot be reached. */
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

/** Returns whether the lab has the load. One that it refuses would be refused again, so it counts as done. */
async function send({ url, token }: LabLink, load: Load): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(load) };
  try {
    const { status } = await fetch(url + labPaths.loads, request);
    return status < 500;
  } catch {
    return false;
  }
}

/** Sends every load to the lab, once it is quiet, and again when it has changed: the lab keeps the last. */
export function createLabSaver(source: LoadSource): LabSaver {
  const waiting = new Set<string>();
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
      if (load === undefined || (load && !(await send(link, load)))) waiting.add(id);
    }
  }

  function saveLoads(): Promise<void> {
    clearTimeout(timer);
    sending = sending.then(sendWaiting, sendWaiting);
    return sending;
  }

  function saveSoon(ids: readonly string[]): void {
    if (waiting.size === 0) waitingSince = Date.now();
    for (const id of ids) waiting.add(id);
    clearTimeout(timer);
    const leftMs = Math.max(0, waitingSince + longestMs - Date.now());
    timer = setTimeout(() => void saveLoads(), Math.min(quietMs, leftMs));
  }

  /** What was waiting when the service worker was stopped is not known any more: all loads since the link was made. */
  async function resume(): Promise<void> {
    const link = await keptLink();
    if (!link) return;
    const heads = await source.loadHeads();
    saveSoon(heads.filter(({ startedAt }) => startedAt >= link.connectedAt).map(({ id }) => id));
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
