import { expect, test } from 'vitest';
import { waitAtMost, withTimeLimit } from './time-limit.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a step that settles in time leaves no timer that keeps the program from ending', async () => {
  const before = timers();
  await waitAtMost(60_000, Promise.resolve());
  await expect(waitAtMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await withTimeLimit('It', 60_000, Promise.resolve());
  expect(timers()).toBe(before);
});

test('a step that never settles is given up after its limit', async () => {
  const never = new Promise<never>(() => undefined);
  await waitAtMost(1, never);
  await expect(withTimeLimit('It', 1, never)).rejects.toMatchObject({ code: 'CS_TIMEOUT' });
});
