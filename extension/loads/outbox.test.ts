import { expect, test, vi } from 'vitest';
import { Outbox } from './outbox.ts';

test('items that a stopped service worker did not acknowledge are resent in order until stored', async () => {
  vi.useFakeTimers();
  const stored: number[][] = [];
  let failures = 2;
  const outbox = new Outbox<number>((items) => {
    if (failures-- > 0) return Promise.reject(new Error('stopped'));
    stored.push([...items]);
    return Promise.resolve();
  });
  outbox.add(1, 2);
  await vi.advanceTimersByTimeAsync(200);
  outbox.add(3);
  expect(stored).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(stored.flat()).toEqual([1, 2, 3]);
  vi.useRealTimers();
});

test('many items are sent in batches, one batch at a time', async () => {
  vi.useFakeTimers();
  const sizes: number[] = [];
  let running = 0;
  const outbox = new Outbox<number>(async (items) => {
    expect(++running).toBe(1);
    sizes.push(items.length);
    await Promise.resolve();
    running--;
  });
  outbox.add(...Array.from({ length: 1234 }, (_, index) => index));
  await vi.advanceTimersByTimeAsync(1000);
  expect(sizes).toEqual([500, 500, 234]);
  vi.useRealTimers();
});
