import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startEventLoopProbe } from './event-loop.ts';

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('the delay of a blocked loop is the blocked time, even if the block began before the measurement', async () => {
  const probe = startEventLoopProbe();
  try {
    expect(probe.take()).toBeNull();
    await wait(25);
    probe.take();
    const takenAt = performance.now();
    block(60);
    await wait(15);
    const reading = probe.take();
    const shareBlocked = 60 / (performance.now() - takenAt);
    expect(reading?.maxMs).toBeGreaterThanOrEqual(49);
    // The probe and this test read the clock one after the other.
    expect(reading?.busy).toBeGreaterThan(0.9 * shareBlocked);
    expect(reading?.p50Ms).toBeLessThanOrEqual(reading?.p99Ms ?? 0);
  } finally {
    probe.stop();
  }
});
