import { expect, test } from 'vitest';
import { madeUpReclaimWindow } from '../fixtures/reclaim.ts';
import { reclaimUsage } from './usage.ts';

test('the event loop has the median of the windows, and the longest delay of all', () => {
  const windows = [1, 2, 5, 40].map((p99Ms, second) => {
    const { system, ...window } = madeUpReclaimWindow(second);
    const eventLoop = { p50Ms: 0.1, p99Ms, maxMs: 10 * p99Ms, busy: 0.25 };
    return { ...window, system: { ...system, eventLoop } };
  });
  expect(reclaimUsage(windows).eventLoop).toEqual({ p99Ms: 3.5, maxMs: 400 });
  expect(reclaimUsage([]).eventLoop).toEqual({ p99Ms: null, maxMs: null });
});
