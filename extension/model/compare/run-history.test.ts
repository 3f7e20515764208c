import { expect, test } from 'vitest';
import { trendSentences } from './run-history.ts';

test('a change from 0 has no percentage, and is the greatest', () => {
  const steps = (before: number, behind: number) =>
    Array.from({ length: 10 }, (_, run) => (run < 5 ? before : behind));
  const [sentence] = trendSentences({
    baseline: 'nightly',
    runs: Array.from({ length: 10 }, (_, run) => ({
      startedAt: `2026-10-0${run}T01:00:00Z`,
      about: '',
    })),
    cells: [
      { place: 'one', medians: steps(10, 11) },
      { place: 'two', medians: steps(0, 5) },
      { place: 'three', medians: steps(0, 0) },
    ],
    changePoints: [{ at: 5, p: 0.01 }],
  });
  expect(sentence).toMatch(
    /: two from 0 to 5; one from 10 to 11 \(\+10 %\); three from 0 to 0 \(0 %\)\.$/,
  );
});
