// Wakes the generator when a request is due. A timer of the event loop counts whole milliseconds; a thread that waits on
// shared memory is called within a tenth of one, and takes no processor while it waits.
import { type MessagePort, workerData } from 'node:worker_threads';
import { monotonicMs, type Alarm } from './reclaim-alarm.ts';

const { port, shared } = workerData as { port: MessagePort; shared: Alarm };
const state = new Int32Array(shared.state);
const dueMs = new Float64Array(shared.dueMs);

for (let seen = 0; ;) {
  // The state changes with each new due time.
  Atomics.wait(state, 0, seen);
  seen = Atomics.load(state, 0);
  const leftMs = (dueMs[0] ?? 0) - monotonicMs();
  // A newer due time ends the wait: then that one counts.
  if (leftMs > 0 && Atomics.wait(state, 0, seen, leftMs) !== 'timed-out') continue;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  port.postMessage(null);
}
