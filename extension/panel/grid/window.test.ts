import { expect, test } from 'vitest';
import { rowPx, rowWindow, windowStart } from './window.ts';

test.each([
  [0, 10_000],
  [5000 * rowPx + 20, 10_000],
  [9970 * rowPx, 10_000],
  [0, 5],
  [0, 0],
])('every row in view is drawn once and in order: %d px of %d rows', (scrollTopPx, count) => {
  const drawn = rowWindow(windowStart(scrollTopPx), 30, count, 0);
  expect(drawn).toEqual([...new Set(drawn)].toSorted((one, other) => one - other));
  const inView = (index: number): boolean =>
    (index + 1) * rowPx > scrollTopPx && index * rowPx < scrollTopPx + 30 * rowPx;
  const wanted = Array.from({ length: count }, (_, index) => index).filter(inView);
  expect(drawn).toEqual(expect.arrayContaining(wanted));
  expect(drawn.length).toBeLessThan(80);
});

test('the focused row is always drawn', () => {
  expect(rowWindow(4998, 30, 10_000, 3)).toContain(3);
  expect(rowWindow(0, 30, 10_000, 9999)).toContain(9999);
  expect(rowWindow(0, 30, 10, 9999)).not.toContain(9999);
});

test('a short scroll keeps the window', () => {
  expect(windowStart(102 * rowPx)).toBe(windowStart(107 * rowPx));
});
