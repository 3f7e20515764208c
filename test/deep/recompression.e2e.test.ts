import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Conformance,
  differenceIn,
  isBad,
  playSituations,
  recompresses,
} from '../../scripts/bench/recompression.ts';
import { type Witness, witnesses } from '../../scripts/bench/recompression/account.ts';
import { fixSituations } from '../../scripts/bench/recompression/situations.ts';

/** One of the ten moments stands for all; so does one kind of range, and the default back end. */
const others =
  /(aborts|dies|killed) after (?!5 )|^(open|last|two|range of a stored dcb)|^back end (simple: |.*(dies|killed))/;
const subset = fixSituations.filter(({ name }) => !others.test(name));

/** The situations that differ by design, and the witnesses that tell. */
const known: Record<string, readonly Witness[]> = {
  'bytes that do not compress': ['Resource Timing', 'origin'],
  'range of a stored response': witnesses,
  'range that the origin answers whole': witnesses,
  'back end blockfile: range of a stored response': witnesses,
  'back end sql: range of a stored response': witnesses,
  'first of two readers aborts': ['origin'],
  'features switched at a restart, and back': ['Resource Timing', 'origin'],
};
describe(`Chromium with its recompression and without, in ${subset.length} of ${fixSituations.length} situations, one of each kind`, () => {
  let conformance: Conformance;
  beforeAll(async () => {
    conformance = await playSituations(subset);
  });

  test('the features work: a DCZ response is stored in fewer bytes', () => {
    expect(recompresses(conformance)).toBe(true);
  });

  test('no body has wrong bytes, by SHA-256', () => {
    expect(conformance.played.filter(isBad)).toEqual([]);
  });

  test.each(subset.map(({ name }) => name))(
    '%s: the same, or differs by the witnesses that are known',
    (name) => {
      const played = conformance.played.find((each) => each.name === name);
      if (!played) throw new Error(`${name} was not played`);
      expect(differenceIn(played), JSON.stringify(played)).toEqual(known[name] ?? []);
    },
  );
});
