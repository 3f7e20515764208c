import { type EvidenceDepth, evidenceDepths } from '@cachescope/model/attribution/evidence.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  counts,
  describePlay,
  neverCameAbout,
  playAll,
} from '../../harness/situations/truth-table.ts';
import { isUnseen } from '../../harness/situations/unseen.ts';
import type { Played } from '../../harness/situations/play.ts';

/** All depths at once, each in browsers of its own: most of a play is waiting. */
const plays = new Map<EvidenceDepth, Promise<Played[]>>();
let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin({ workloads: [], situations: true });
  for (const depth of evidenceDepths) {
    const play = playAll(origin, depth);
    // Who waits for it is told of its failure; until then nobody is.
    play.catch(() => undefined);
    plays.set(depth, play);
  }
});
afterAll(() => origin?.close());

describe.each(evidenceDepths)('every row of the truth table, at depth %s', (depth) => {
  let played: Played[];
  beforeAll(async () => {
    played = (await plays.get(depth)) ?? [];
    const others = played.filter(({ situation, outcome }) => outcome !== situation);
    if (others.length > 0)
      console.warn(`not as named, at depth ${depth}:\n${others.map(describePlay).join('\n')}`);
  });

  test('the instrument saw every one of them that it can know of', () => {
    const missing = played.filter(({ resource, outcome }) => outcome && !resource);
    const names = missing.map(({ situation }) => situation.name);
    expect(names.filter((name) => !isUnseen(name, depth))).toEqual([]);
  });

  test('no verdict is wrong', () => {
    expect(played.filter(({ judgement }) => judgement === 'wrong').map(describePlay)).toEqual([]);
  });

  // Only the debugger is asked for so much.
  if (depth === 'debugger')
    test('none is unknown', () => {
      const unknown = played.filter(
        ({ judgement, situation }) =>
          judgement === 'unknown' && !isUnseen(situation.name, 'debugger'),
      );
      expect(unknown.map(describePlay)).toEqual([]);
    });

  test('most are right', () => {
    expect(counts(played).right).toBeGreaterThan(played.length / 2);
  });

  test('the content coding is told beside the source', () => {
    for (const { situation, outcome, resource } of played) {
      const coding = outcome?.truth.coding;
      if (coding !== undefined) expect(resource?.coding, situation.name).toBe(coding);
    }
  });

  test('Cache Storage is named and routes are told where the witness knows them', () => {
    if (depth === 'page' || depth === 'webRequest') return;
    for (const { situation, outcome, attribution } of played) {
      const { cacheStorageName, router } = outcome?.truth ?? {};
      if (cacheStorageName !== undefined)
        expect(attribution.cacheStorageName, situation.name).toBe(cacheStorageName);
      if (router !== undefined) expect(attribution.router, situation.name).toEqual(router);
    }
  });
});

test('each situation came about at some depth, in one of its outcomes', async () => {
  const all = (await Promise.all(plays.values())).flat();
  expect(neverCameAbout(all)).toEqual([]);
});
