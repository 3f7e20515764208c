// Wakes the generator when a request is due. A timer of the event loop has a resolution of 1 ms. A thread that waits on
// shared memory is woken within 0.1 ms, and uses no processor time while it waits.
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs, type Alarm } from './alarm.ts';

const shared = workerData as Alarm;
const state = new Int32Array(shared.state);
const dueMs = new Float64Array(shared.dueMs);

/** Value of `state` at the last ring. */
let rung = 0;
for (;;) {
  const seen = Atomics.load(state, 0);
  const leftMs = seen === rung ? Infinity : (dueMs[0] ?? 0) - monotonicMs();
  if (leftMs > 0) {
    // The notification of a new time may come after that time was seen: check again whenever the wait ends.
    Atomics.wait(state, 0, seen, leftMs);
    continue;
  }
  rung = seen;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(null);
}
