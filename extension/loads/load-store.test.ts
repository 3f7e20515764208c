import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import { expect, test } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { database, noTab } from './load-database.ts';
import { forgetLoad } from './load-limit.ts';
import { putDocument, putObservations } from './load-store.ts';

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
