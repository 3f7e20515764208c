import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  counts,
  describePlay,
  isTwice,
  isTwiceUnmarked,
  neverCameAbout,
  playEveryWay,
  tested,
  unreported,
} from '../../harness/situations/truth-table.ts';
import { isUnseen, type WatchingName, watchingNames } from '../../harness/situations/watching.ts';
import type { Played } from '../../harness/situations/play.ts';
import { hangLimitMs } from '../hang-limit.ts';

let plays: Map<WatchingName, Played[]>;
let origin: Origin;

beforeAll(
  async () => {
    origin = await startOrigin({ workloads: [], situations: true });
    plays = await playEveryWay(origin, tested);
  },
  // One hook plays every situation, in four to six ways.
  6 * hangLimitMs,
);
afterAll(() => origin?.close());

describe.each(watchingNames)('every row of the truth table, watched by %s', (watching) => {
  let played: Played[];
  beforeAll(() => {
    played = plays.get(watching) ?? [];
    const others = played.filter(({ situation, outcome }) => outcome !== situation);
    if (others.length > 0)
      console.warn(`not as named, by ${watching}:\n${others.map(describePlay).join('\n')}`);
  });

  test('the instrument saw every one of them that it can know of', () => {
    const missing = played.filter(({ resource, outcome }) => outcome && !resource);
    const names = missing.map(({ situation }) => situation.name);
    expect(names.filter((name) => !isUnseen(name, watching))).toEqual([]);
  });

  test('each witness reported the last request of every document', () => {
    expect(unreported(played)).toEqual([]);
  });

  test('no verdict is wrong', () => {
    expect(played.filter(({ judgement }) => judgement === 'wrong').map(describePlay)).toEqual([]);
  });

  test('each use is there once, or a busy browser left its rows apart, and they say so', () => {
    expect(played.filter(isTwiceUnmarked).map(describePlay)).toEqual([]);
    const marked = played.filter(isTwice).map(describePlay);
    if (marked.length > 0) console.warn(`in two rows, with a mark:\n${marked.join('\n')}`);
    expect(marked.length).toBeLessThan(played.length / 100);
  });

  // Only the debugger is asked for so much.
  if (watching === 'debugger')
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

  test('the content coding is reported with the source', () => {
    for (const { situation, outcome, resource } of played) {
      const coding = outcome?.truth.coding;
      if (coding !== undefined) expect(resource?.coding, situation.name).toBe(coding);
    }
  });

  // The page and webRequest know of neither.
  if (watching !== 'page' && watching !== 'webRequest')
    test('Cache Storage and routes are named', () => {
      for (const { situation, outcome, attribution } of played) {
        const { cacheStorageName, router } = outcome?.truth ?? {};
        if (cacheStorageName !== undefined)
          expect(attribution.cacheStorageName, situation.name).toBe(cacheStorageName);
        if (router !== undefined) expect(attribution.router, situation.name).toEqual(router);
      }
    });
});

test('each situation came about in some way to watch, in one of its outcomes', () => {
  expect(neverCameAbout([...plays.values()].flat())).toEqual([]);
});
