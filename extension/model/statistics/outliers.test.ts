import { expect, test } from 'vitest';
import { flagOutliers, modifiedZScores } from './outliers.ts';
import { skewed } from '../fixtures/two-groups.ts';

test('scores agree with SciPy 1.17, whose constant has more digits', () => {
  const scores = modifiedZScores(skewed) ?? [];
  expect(scores[0]).toBeCloseTo(-0.8301412310153844, 4);
  expect(scores[1]).toBeCloseTo(0.3113029616307687, 4);
  expect(scores[2]).toBeCloseTo(0.25470242315244696, 4);
});

test('outliers are flagged and counted, never dropped', () => {
  // Median 3.5, median absolute deviation 1.5: the scores of 10, 13 and 20 are 2.9, 4.3 and 7.4, that of -4 is -3.4.
  expect(flagOutliers([1, 2, 3, 4, 5, 20])).toEqual({
    flags: ['inside', 'inside', 'inside', 'inside', 'inside', 'severe'],
    mild: 0,
    severe: 1,
  });
  expect(flagOutliers([1, 2, 3, 4, 5, 13])).toMatchObject({ mild: 1, severe: 0 });
  expect(flagOutliers([-4, 2, 3, 4, 5, 10])).toMatchObject({ mild: 0, severe: 0 });
});

test('most values equal: the mean deviation replaces the median deviation; all equal: no outliers', () => {
  expect(flagOutliers([7, 7, 7, 7, 7, 7, 7, 9])).toMatchObject({ mild: 1, severe: 0 });
  expect(flagOutliers([7, 7, 7])).toEqual({
    flags: ['inside', 'inside', 'inside'],
    mild: 0,
    severe: 0,
  });
  expect(modifiedZScores([4])).toEqual([0]);
});

test('no values, or a value that is not finite, give null', () => {
  expect([flagOutliers([]), flagOutliers([1, Number.NaN]), modifiedZScores([Infinity])]).toEqual([
    null,
    null,
    null,
  ]);
});
