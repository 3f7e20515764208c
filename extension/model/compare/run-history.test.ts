import { expect, test } from 'vitest';
import type { CompareSide } from './side.ts';
import { trendOf, trendSentences } from './run-history.ts';

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

/** Ten runs; the value of each cell in a run, null where the run lacks it. */
function sentencesOf(cells: Readonly<Record<string, (run: number) => number | null>>): string[] {
  const runs = Array.from({ length: 10 }, (_, run) => {
    const groups = Object.entries(cells).map(([arm, valueIn]) => {
      const value = valueIn(run);
      return { factors: { arm }, readings: value === null ? [] : [{ value, launch: null }] };
    });
    return { startedAt: `2026-10-0${run}`, side: { groups, about: '' } as unknown as CompareSide };
  });
  return trendSentences(trendOf('nightly', runs));
}

test('cells that no search covers are named', () => {
  const steady = (run: number) => 10 + (run % 3);
  const zero = () => 0;
  const late = (run: number) => (run < 2 ? null : 5);
  expect(sentencesOf({ steady })).toEqual(['No change point in 10 runs.']);
  expect(sentencesOf({ steady, zero, late, never: () => null })).toEqual([
    'No change point in 10 runs.',
    'Excluded from the search for change points: 1 cell with a median of 0 in some run (zero), 1 cell that not every run has (late).',
  ]);
  expect(sentencesOf({ zero, late })[0]).toBe(
    'No change point was searched for: no cell has a median above 0 in each of the 10 runs.',
  );
});
