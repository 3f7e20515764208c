import { expect, test } from 'vitest';
import { countFlags, flagTexts, unflagged } from './flags.ts';

const lines: { flags: ('slow' | 'late')[] }[] = [
  { flags: [] },
  { flags: ['late'] },
  { flags: ['late', 'late', 'slow'] },
];

test('a measurement with any flag is in no statistic', () => {
  expect(unflagged(lines)).toEqual([{ flags: [] }]);
});

test('each flag counts once for a measurement; one that none has is counted as 0 where it is known', () => {
  expect(countFlags(lines)).toEqual({ late: 2, slow: 1 });
  expect(countFlags(lines.slice(0, 2), ['slow', 'late'])).toEqual({ slow: 0, late: 1 });
});

test('only flags that a measurement has are named', () => {
  expect(flagTexts({ slow: 0, late: 1234 })).toEqual(['late 1234']);
});
