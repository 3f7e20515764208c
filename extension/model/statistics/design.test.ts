import { expect, test } from 'vitest';
import { designOf, launchesOf } from './design.ts';
import type { Reading } from './readings.ts';

const read = (value: number, launch: number | null): Reading => ({ value, launch });

test('groups with separate launches are compared by launch', () => {
  const design = designOf([read(1, 0), read(2, 0)], [read(3, 1), read(4, 2)]);
  expect(design).toMatchObject({
    kind: 'by launch',
    of: [[1, 2]],
    against: [[3], [4]],
    leftOut: 0,
  });
});

test('groups read in the same launches are paired; unpaired readings are excluded and counted', () => {
  const design = designOf(
    [read(1, 0), read(2, 1), read(3, 1), read(9, 7)],
    [read(6, 1), read(5, 0), read(8, 4), read(8, 4)],
  );
  expect(design).toMatchObject({
    kind: 'paired by launch',
    of: [[1], [2, 3]],
    against: [[5], [6]],
    leftOut: 3,
  });
});

test('a reading of unknown launch is a launch of its own', () => {
  const design = designOf([read(1, null), read(2, null)], [read(3, null)]);
  expect(design).toMatchObject({ kind: 'by launch', of: [[1], [2]], against: [[3]] });
  expect(launchesOf([read(1, null), read(2, null), read(3, 4), read(3, 4)])).toBe(3);
});
