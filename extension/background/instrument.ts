import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type {
  Instrument,
  PageQuestion,
  PageState,
  ReadRequest,
  ReadResult,
} from '@cachescope/model/load/messages.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import browser from 'webextension-polyfill';
import {
  pageAnswerSchema,
  pageDescriptionSchema,
  pageReadingSchema,
} from '@cachescope/model/load/page-message.ts';
import type { LabSaver } from './lab-link.ts';
import { loadHeads, readLoad } from '../loads/load-source.ts';
import type { Watches } from './watch.ts';

/** Time limit for loading a page, ms. */
const openLimitMs = 60_000;

/** Creates the instrument. It drives pages by messages to their content scripts, so no debugger is attached to them. */
export function createInstrument(watches: Watches, lab: LabSaver): Instrument {
  return {
    open,
    read,
    close: (tabId) => browser.tabs.remove(tabId),
    watch: (tabId, depth) => watches.setDepth(tabId, depth),
    unwatch: (tabId) => watches.setDepth(tabId, null),
    loads: loadHeads,
    load: loadOf,
    connectLab: (link) => lab.connect(link),
    saveLoads: () => lab.saveLoads(),
  };
}

async function loadOf(id: string): Promise<Load> {
  const load = await readLoad(id);
  if (!load) throw new Error(`there is no load ${id}: it was removed, or never existed`);
  return load;
}

async function open(url: string, limitMs = openLimitMs): Promise<PageState> {
  const tab = await browser.tabs.create({ url, active: true });
  if (tab.id === undefined) throw new Error(`Chromium opened no tab for ${url}`);
  await loaded(tab.id, url, limitMs);
  const description = await ask(tab.id, { type: 'describe' }, pageDescriptionSchema);
  return { tabId: tab.id, url, ...description };
}

async function read(tabId: number, request: ReadRequest): Promise<ReadResult> {
  const reading = await ask(tabId, { type: 'read', request }, pageReadingSchema);
  const { hasServiceWorker, ...result } = reading;
  const { timing, bodyBytes, failure } = result;
  // A failed read has an unknown source.
  const attribution: Attribution =
    failure === undefined
      ? attribute({ page: { timing, hasServiceWorker, bodyBytes } })
      : { source: 'unknown', confidence: 'unknown', reasons: [`the read failed: ${failure}`] };
  return { ...result, attribution };
}

/** Settles when the tab has loaded, or at once if it has loaded already. */
function loaded(tabId: number, url: string, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      browser.tabs.onUpdated.removeListener(watch);
      act();
    };
    const watch = (updatedId: number, change: { status?: string }): void => {
      if (updatedId === tabId && change.status === 'complete') finish(resolve);
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error(`${url} did not load within ${limitMs} ms`))),
      limitMs,
    );
    browser.tabs.onUpdated.addListener(watch);
    browser.tabs.get(tabId).then(
      (tab) => watch(tabId, tab.status === undefined ? {} : { status: tab.status }),
      (error: unknown) =>
        finish(() => reject(new Error(`the tab of ${url} is gone`, { cause: error }))),
    );
  });
}

async function ask<Answer>(
  tabId: number,
  question: PageQuestion,
  schema: { parse(value: unknown): Answer },
): Promise<Answer> {
  const reply: unknown = await browser.tabs
    .sendMessage(tabId, question, { frameId: 0 })
    .catch((error: unknown) => {
      throw new Error(
        `tab ${tabId} does not answer: its page did not load, or its site was not granted`,
        { cause: error },
      );
    });
  const result = pageAnswerSchema.parse(reply);
  if ('error' in result) throw new Error(`the page of tab ${tabId} failed: ${result.error}`);
  return schema.parse(result.answer);
}
