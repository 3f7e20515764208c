import { expect, test } from 'vitest';
import { isOutOfState } from './page-cache-state.ts';

test('file-cold files have no page in memory, warm files have all; cold files are not checked', () => {
  const of = (residentPages: number) => ({ residentPages, pages: 20 });
  expect([0, 1, 20].map((pages) => isOutOfState('file-cold', of(pages)))).toEqual([
    false,
    true,
    true,
  ]);
  expect([0, 19, 20].map((pages) => isOutOfState('warm', of(pages)))).toEqual([true, true, false]);
  expect(isOutOfState('cold', null)).toBe(false);
});
