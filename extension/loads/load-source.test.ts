import type { Observation } from '@cachescope/model/load/observation.ts';
import { expect, test } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { database } from './load-database.ts';
import { loadHeads, newestOfTab, readLoad } from './load-source.ts';
import { putDocument, putObservations } from './load-store.ts';

const document = {
  tabId: 1,
  url: 'https://example.test/',
  navigationType: 'navigate',
  domContentLoadedMs: null,
  loadMs: null,
  droppedEntries: 0,
} as const;
const requests = ['a', 'b'].map((name): Observation => ({
  witness: 'webRequest',
  key: name,
  tabId: 1,
  url: `https://example.test/${name}`,
  startedAtMs: 250,
  endedAtMs: 260,
  context: 'unknown',
  facts: {},
  evidence: null,
}));

/** A store with two loads of one tab, and what waits for its answers. */
async function storing() {
  const { quiet } = startExtensionProcess();
  const done = async <Result>(answer: Promise<Result>): Promise<Result> => {
    await quiet();
    return answer;
  };
  for (const [id, startedAtMs] of Object.entries({ old: 100, new: 200 }))
    await done(putDocument({ ...document, id, documentId: id, startedAtMs }));
  return done;
}

test('a load that was read is not joined again for its head until it changes', async () => {
  const done = await storing();
  const counts = async () =>
    (await done(loadHeads())).map(({ id, resourceCount }) => [id, resourceCount]);
  await done(putObservations(requests.slice(0, 1)));
  await done(readLoad('new'));
  const db = await database();
  const stored = await done(db.get('heads', 'new'));
  if (!stored) throw new Error('the head was not stored');
  expect(stored.head.resourceCount).toBe(1);
  await done(db.put('heads', { ...stored, head: { ...stored.head, resourceCount: 99 } }));
  expect(await counts()).toEqual([
    ['new', 99],
    ['old', 0],
  ]);
  await done(putObservations(requests));
  expect(await counts()).toEqual([
    ['new', 2],
    ['old', 0],
  ]);
});

test('the newest load of a tab is found without joining any', async () => {
  const done = await storing();
  expect(await done(newestOfTab(1))).toBe('new');
  expect(await done(newestOfTab(2))).toBeUndefined();
  expect(await done((await database()).getAll('heads'))).toEqual([]);
});
