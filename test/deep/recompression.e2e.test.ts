import { type ConformanceWitness, differingWitnesses } from '@cachescope/model/judge/play.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { conformanceSituations } from '../../harness/conformance/situations.ts';
import { isBroken, type PlayedPairs, playPairs } from '../../scripts/bench/recompression.ts';

const subset = conformanceSituations.filter(
  ({ isDetail, topic }) => !isDetail && topic !== 'freshness',
);
const all = ['page', 'timing', 'origin'] as const;
const unstored = ['timing', 'origin'] as const;
const statuses = [203, 404, 405, 410, 414, 500, 501, 503];

/** The situations that differ by design, and the witnesses that tell. */
const known: Record<string, readonly ConformanceWitness[]> = {
  'bytes that do not compress': unstored,
  'response that is larger than its cache holds': unstored,
  'range of a stored response': all,
  'range that the origin answers whole': all,
  'range of a small response': all,
  'back end simple: range of a stored response': all,
  'back end blockfile: range of a stored response': all,
  'back end sql: range of a stored response': all,
  'reader of the whole beside one of a range': all,
  'first of two readers aborts': ['origin'],
  'settings of the other side after a restart, and back': unstored,
  ...Object.fromEntries(statuses.map((status) => [`status ${status}, fresh`, unstored])),
};

describe(`Chromium with its recompression and without, in ${subset.length} of ${conformanceSituations.length} situations`, () => {
  let played: PlayedPairs;
  beforeAll(async () => {
    played = await playPairs(subset);
  });

  test('the features work: a DCZ response is stored in fewer bytes', () => {
    const { decodedBytes, storedBytes } = played;
    expect(storedBytes.fixed).toBeLessThan(0.9 * decodedBytes);
    expect(storedBytes.stock).toBeGreaterThan(decodedBytes);
  });

  test('no safety rule is broken with it only: no body has wrong bytes, by SHA-256', () => {
    expect(played.pairs.filter(isBroken)).toEqual([]);
  });

  test('no situation differs but those that are known', () => {
    const found = played.pairs.flatMap(({ name, stock, fixed }) => {
      const differing = differingWitnesses(stock, fixed);
      return differing.length > 0 ? [[name, differing] as const] : [];
    });
    expect(Object.fromEntries(found)).toEqual(known);
  });
});
