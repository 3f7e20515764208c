import { expect, test } from 'vitest';
import { launchesOf, scopeOf } from './launch-scope.ts';

const from = (...launches: (number | null)[]) => launches.map((launch) => ({ value: 1, launch }));

test('two launches support these launches only, three any launch; the smaller group counts', () => {
  expect(scopeOf(from(0, 0, 1, 1))).toBe('these launches');
  expect(scopeOf(from(0, 1, 2))).toBe('any launch');
  expect(scopeOf(from(0, 1, 2), from(3, 3))).toBe('these launches');
  expect(scopeOf([])).toBe('these launches');
});

test('launches that only one of two paired groups has do not count', () => {
  const [of, against] = [from(2, 2, 3, 3, 4, 4), from(0, 0, 1, 1, 3, 3, 4, 4)];
  expect(scopeOf(of, against)).toBe('these launches');
  expect(scopeOf([...of, ...from(1)], against)).toBe('any launch');
});

test('a reading of unknown launch counts as one launch', () => {
  expect(launchesOf(from(null, null, 4, 4))).toBe(3);
  expect(scopeOf(from(null, null, null))).toBe('any launch');
});
