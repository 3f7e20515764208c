import { type EvidenceDepth, evidenceDepths } from '@cachescope/model/evidence.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts, playAll, verdictOf } from './truth-table.ts';
import type { Played } from './truth-table-play.ts';

/** All depths at once, each in a browser of its own: most of a play is waiting. */
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

const describeRow = (played: Played) =>
  `${played.situation.name}: ${verdictOf(played)} (${played.attribution.reasons.join('; ')})`;

describe.each(evidenceDepths)('every row of the truth table, at depth %s', (depth) => {
  let played: Played[];
  beforeAll(async () => {
    played = (await plays.get(depth)) ?? [];
  }, 600_000);

  test('each situation came about: the origin was asked as often as its truth demands', () => {
    const asked = played.map(({ situation, atOrigin }) => ({ name: situation.name, atOrigin }));
    expect(asked).toEqual(
      played.map(({ situation, atOrigin }) => ({
        name: situation.name,
        atOrigin: situation.atOrigin ?? atOrigin,
      })),
    );
  });

  test('the instrument saw every one of them', () => {
    expect(
      played.filter(({ resource }) => !resource).map(({ situation }) => situation.name),
    ).toEqual([]);
  });

  test('no verdict is wrong', () => {
    expect(played.filter(({ judgement }) => judgement === 'wrong').map(describeRow)).toEqual([]);
  });

  // Only the debugger is asked for so much.
  if (depth === 'debugger')
    test('none is unknown', () => {
      expect(played.filter(({ judgement }) => judgement === 'unknown').map(describeRow)).toEqual(
        [],
      );
    });

  test('most are right', () => {
    expect(counts(played).right).toBeGreaterThan(played.length / 2);
  });

  test('the content coding is told beside the source', () => {
    for (const { situation, resource } of played) {
      const { coding } = situation.truth;
      if (coding !== undefined) expect(resource?.coding, situation.name).toBe(coding);
    }
  });

  test('Cache Storage is named and routes are told where the witness knows them', () => {
    if (depth === 'page' || depth === 'webRequest') return;
    for (const { situation, attribution } of played) {
      const { cacheStorageName, router } = situation.truth;
      if (cacheStorageName !== undefined)
        expect(attribution.cacheStorageName, situation.name).toBe(cacheStorageName);
      if (router !== undefined) expect(attribution.router, situation.name).toEqual(router);
    }
  });
});
