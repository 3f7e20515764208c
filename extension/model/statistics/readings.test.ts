import { expect, test } from 'vitest';
import { byLaunch, problemsOf, valuesOf } from './readings.ts';

test('valid readings have no problems', () => {
  expect(problemsOf([{ value: 0, launch: 1 }], 'DCB')).toEqual([]);
});

test('an empty group is reported by name', () => {
  expect(problemsOf([], 'DCB')).toEqual([
    { code: 'CS_NO_READINGS', message: expect.stringContaining('DCB has no readings') },
  ]);
});

test('all problems are reported at once, with counts and the first bad value', () => {
  const values = [1, Number.NaN, Infinity, -3, -Infinity];
  const problems = problemsOf(
    values.map((value) => ({ value, launch: null })),
    'DCB',
  );
  expect(problems.map(({ code }) => code)).toEqual([
    'CS_READING_NOT_FINITE',
    'CS_READING_NEGATIVE',
  ]);
  expect(problems[0]?.message).toContain(
    '3 of 5 values that are not finite numbers (the first: NaN)',
  );
  expect(problems[1]?.message).toContain('2 of 5 values below 0 (the first: -3)');
});

test('values are grouped by launch; those of unknown launch are separate', () => {
  const readings = [
    { value: 1, launch: 3 },
    { value: 2, launch: null },
    { value: 3, launch: 3 },
    { value: 4, launch: null },
  ];
  expect([...byLaunch(readings).values()]).toEqual([[1, 3], [2], [4]]);
  expect(valuesOf(readings)).toEqual([1, 2, 3, 4]);
});
