import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import { expect, test } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { database, noTab } from './load-database.ts';
import { forgetLoad, forgetTraces } from './load-limit.ts';
import { putDocument, putObservations } from './load-store.ts';
import { putWatch } from './watch-store.ts';

function loadOf(
  tabId: number,
  startedAtMs: number,
  more: Partial<ObservedDocument> = {},
): ObservedDocument {
  const id = `${tabId}-${startedAtMs}`;
  return {
    id,
    tabId,
    documentId: id,
    url: 'https://example.test/',
    startedAtMs,
    navigationType: 'navigate',
    domContentLoadedMs: null,
    loadMs: null,
    droppedEntries: 0,
    ...more,
  };
}

function observation(key: string, tabId: number, documentId?: string): Observation {
  return {
    witness: 'webRequest',
    key,
    tabId,
    ...(documentId === undefined ? {} : { documentId }),
    url: 'https://example.test/a.js',
    startedAtMs: 50,
    endedAtMs: 60,
    context: 'document',
    facts: {},
    evidence: null,
  };
}

/** A store with these loads. */
async function storing(loads: readonly ObservedDocument[]) {
  const { quiet } = startExtensionProcess();
  const put = async <Result>(stored: Promise<Result>): Promise<Result> => {
    await quiet();
    return stored;
  };
  for (const load of loads) await put(putDocument(load));
  return { put, stored: async () => (await database()).getAllKeys('observations') };
}

const restore = loadOf(1, 900, { id: '1-100 900', documentId: '1-100' });
const loads = [100, 200, 300, 400].map((at) => loadOf(1, at)).concat(restore, loadOf(2, 150));

test('observations may change the loads of their document, its restores, and the two newest of their tab', async () => {
  const { put } = await storing(loads);
  const changed = async (...list: Observation[]) => (await put(putObservations(list))).toSorted();
  expect(await changed(observation('a', 1))).toEqual(['1-100 900', '1-400']);
  expect(await changed(observation('b', 1, '1-200'))).toEqual(['1-100 900', '1-200', '1-400']);
  expect(await changed(observation('c', 1, '1-100'))).toEqual(['1-100', '1-100 900', '1-400']);
  expect(await changed(observation('d', 2), observation('e', 2, 'unknown'))).toEqual(['2-150']);
  // A service worker's own fetch may belong to any tab.
  expect(await changed(observation('f', noTab))).toEqual(['1-100 900', '1-400', '2-150']);
});

test('what a forgotten document still reports is dropped; the newest loads that are kept may change', async () => {
  const { put, stored } = await storing(loads);
  for (const id of ['1-100', '1-400']) await put(forgetLoad(id));
  const list = [observation('of a forgotten', 1, '1-400'), observation('of a kept', 1, '1-200')];
  expect(await put(putObservations(list))).toEqual(['1-200', '1-300', '1-100 900']);
  expect(await stored()).toEqual(['of a kept']);
  // The document lives on in its restore.
  await put(putObservations([observation('of the restored', 1, '1-100')]));
  expect(await stored()).toContain('of the restored');
});

const hourMs = 3_600_000;

/** An observation that names no document. */
const at = (key: string, tabId: number, startedAtMs: number): Observation => ({
  ...observation(key, tabId),
  startedAtMs,
});

test('old observations that belong to no load are removed with the next load, those of a load to come are kept', async () => {
  const nowMs = Date.now();
  const first = loadOf(1, nowMs - 3 * hourMs);
  const second = loadOf(1, nowMs - 2 * hourMs);
  const elsewhere = loadOf(2, nowMs - 4 * hourMs);
  const { put, stored } = await storing([first, second, elsewhere]);
  const recorded = { tabId: 4, depth: 'page', fromMs: nowMs - 1000, toMs: null } as const;
  await put(putWatch({ key: 'recorded just now', ...recorded }));
  const list = [
    at('before the oldest load of its tab', 1, second.startedAtMs - 100),
    at('of the load, clocks differ', 1, second.startedAtMs - 10),
    at('of the load', 1, second.startedAtMs + 100),
    at('no load in its tab', 3, nowMs - 2 * hourMs),
    at('navigation that is under way', 3, nowMs - 0.5 * hourMs),
    at('frame of a page that was open', 4, nowMs - 9 * hourMs),
    at('worker, before all loads', noTab, elsewhere.startedAtMs - 100),
    at('worker', noTab, elsewhere.startedAtMs + 100),
  ];
  await put(forgetLoad(first.id));
  await put(putObservations(list));
  expect(await stored()).toHaveLength(list.length);
  await put(putDocument(loadOf(5, 0)));
  await put(forgetLoad('5-0'));
  expect((await stored()).toSorted()).toEqual([
    'frame of a page that was open',
    'navigation that is under way',
    'of the load',
    'of the load, clocks differ',
    'worker',
  ]);
});

test('what was observed of a forgotten load since does not become part of the load before', async () => {
  const { put, stored } = await storing([loadOf(1, 1000), loadOf(1, 2000)]);
  await put(forgetLoad('1-2000'));
  await put(putObservations([at('of the kept', 1, 1500), at('of the forgotten', 1, 2500)]));
  await put(forgetTraces());
  expect(await stored()).toEqual(['of the kept']);
});
