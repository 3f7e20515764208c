import { expect, test } from 'vitest';
import { rowWindow } from './grid-window.ts';

test('every row in view is drawn, each once and in order', () => {
  for (const [first, inView, count] of [
    [0, 30, 10_000],
    [5000, 30, 10_000],
    [9990, 30, 10_000],
    [0, 30, 5],
    [0, 30, 0],
  ] as const) {
    const drawn = rowWindow(first, inView, count, 0);
    const seen = Math.max(0, Math.min(count, first + inView) - first);
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn).toEqual(drawn.toSorted((one, other) => one - other));
    expect(drawn.filter((index) => index >= first && index < first + inView)).toHaveLength(seen);
    expect(drawn.length).toBeLessThan(70);
  }
});

test('the focused row stays drawn wherever the view is', () => {
  expect(rowWindow(5000, 30, 10_000, 3)).toContain(3);
  expect(rowWindow(0, 30, 10_000, 9999)).toContain(9999);
  expect(rowWindow(0, 30, 10, 9999)).not.toContain(9999);
});

test('a short scroll keeps the window', () => {
  expect(rowWindow(101, 30, 1000, 0)).toEqual(rowWindow(102, 30, 1000, 0));
});
