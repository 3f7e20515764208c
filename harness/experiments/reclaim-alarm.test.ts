import { afterEach, expect, test } from 'vitest';
import { type AlarmClock, monotonicMs, startAlarmClock } from './reclaim-alarm.ts';

let clock: AlarmClock;
afterEach(() => clock.close());

/** Settles at the first ring, with the times of all rings so far. */
function ringing(): { rings: number[]; first: Promise<void> } {
  const rings: number[] = [];
  const first = new Promise<void>((resolve) => {
    clock = startAlarmClock(() => {
      rings.push(monotonicMs());
      resolve();
    });
  });
  return { rings, first };
}

test('rings at its time, and never before', async () => {
  const { rings, first } = ringing();
  const dueMs = monotonicMs() + 30;
  clock.set(dueMs);
  await first;
  expect(rings).toHaveLength(1);
  expect(rings[0]).toBeGreaterThanOrEqual(dueMs);
});

test('the time that was set last is the one that counts, and a past one rings at once', async () => {
  const { rings, first } = ringing();
  const setMs = monotonicMs();
  clock.set(setMs + 60_000);
  clock.set(setMs - 5);
  await first;
  expect(rings).toHaveLength(1);
  expect((rings[0] ?? 0) - setMs).toBeLessThan(30_000);
});
