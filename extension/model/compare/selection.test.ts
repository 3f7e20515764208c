import { expect, test } from 'vitest';
import type { ComparableGroup } from './group.ts';
import { pairGroups, parsedSelection, selected } from './selection.ts';

const group = (delay: string, arm: string): ComparableGroup => ({
  factors: { delay, arm },
  readings: [{ value: 1, launch: 0 }],
  flagged: 0,
});
const groups = ['control', '5 ms'].flatMap((delay) =>
  ['br', 'dcb'].map((arm) => group(delay, arm)),
);

test('a selection is factor=level, and a level may contain an equals sign', () => {
  expect(parsedSelection('arm=dcb, delay=5')).toEqual({ value: { arm: 'dcb', delay: '5' } });
  expect(parsedSelection('variant=disk-cache=sql')).toEqual({
    value: { variant: 'disk-cache=sql' },
  });
});

test.each(['', 'arm', 'arm=', '=dcb', 'arm=dcb,', 'arm=br,arm=dcb'])(
  'the selection %j is a problem',
  (text) => expect(parsedSelection(text)).toHaveProperty('problems'),
);

test('the unit may be omitted; an unknown level is reported together with the existing ones', () => {
  expect(selected(groups, { delay: '5' }, 'run')).toEqual({ value: groups.slice(2) });
  expect(selected(groups, { arm: 'gzip' }, 'run')).toEqual({
    problems: ['run has no arm "gzip"; it has br, dcb'],
  });
  expect(selected(groups, { colour: 'red' }, 'run')).toEqual({
    problems: ['run has no factor "colour"; it has delay, arm'],
  });
});

test('groups are paired by the factors that the sides share', () => {
  const of = groups.filter(({ factors }) => factors['arm'] === 'dcb');
  const against = groups.filter(({ factors }) => factors['arm'] === 'br');
  const paired = pairGroups(of, against, ['arm']);
  expect(paired).toMatchObject({
    value: {
      pairs: [
        { factors: { delay: 'control' }, of: of[0], against: against[0] },
        { factors: { delay: '5 ms' }, of: of[1], against: against[1] },
      ],
      unmatched: [],
    },
  });
});

test('groups of only one side are reported; ambiguous pairs are refused', () => {
  expect(pairGroups(groups, groups.slice(0, 3), [])).toMatchObject({
    value: { unmatched: ['delay=5 ms,arm=dcb (only B)'] },
  });
  expect(pairGroups(groups, groups.slice(0, 1), ['arm'])).toMatchObject({
    problems: [
      '2 groups match delay=control: delay=control,arm=br and delay=control,arm=dcb; name the same factors in both groups',
      expect.any(String),
    ],
  });
});
