import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { type Alarm, type AlarmClock, monotonicMs, startAlarmClock } from './alarm.ts';

let clock: AlarmClock | undefined;
afterEach(async () => {
  await clock?.close();
  clock = undefined;
});

/** Settles at the first ring; `rings` has the times of all rings so far. */
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

test('rings at its time, and never earlier', async () => {
  const { rings, first } = ringing();
  const dueMs = monotonicMs() + 30;
  clock?.set(dueMs);
  await first;
  expect(rings).toHaveLength(1);
  expect(rings[0]).toBeGreaterThanOrEqual(dueMs);
});

test('the time set last replaces earlier ones, and a past time rings immediately', async () => {
  const { rings, first } = ringing();
  const setMs = monotonicMs();
  clock?.set(setMs + 60_000);
  clock?.set(setMs - 5);
  await first;
  expect(rings).toHaveLength(1);
  expect((rings[0] ?? 0) - setMs).toBeLessThan(30_000);
});

test('a notification that comes after its time was seen does not end the wait for it', async () => {
  const shared: Alarm = { state: new SharedArrayBuffer(4), dueMs: new SharedArrayBuffer(8) };
  const state = new Int32Array(shared.state);
  // The time is set before the ticker starts, so the ticker sees it without a notification.
  new Float64Array(shared.dueMs)[0] = monotonicMs() + 500;
  Atomics.add(state, 0, 1);
  const ticker = new Worker(new URL('./ticker-thread.ts', import.meta.url), { workerData: shared });
  const rung = once(ticker, 'message');
  try {
    while (Atomics.notify(state, 0) === 0) await sleep(1);
    // Without a ring this waits until the test runner ends it.
    await rung;
  } finally {
    await ticker.terminate();
  }
});
