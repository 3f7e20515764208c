// Wakes the generator when a request is due. A timer of the event loop counts whole milliseconds; a thread that waits on
// shared memory is called within a tenth of one, and takes no processor while it waits.
import { type MessagePort, workerData } from 'node:worker_threads';
import { monotonicMs, type Alarm } from './alarm.ts';

const { port, shared } = workerData as { port: MessagePort; shared: Alarm };
const state = new Int32Array(shared.state);
const dueMs = new Float64Array(shared.dueMs);

/** State of the time that was rung last. */
let rung = 0;
for (;;) {
  const seen = Atomics.load(state, 0);
  const leftMs = seen === rung ? Infinity : (dueMs[0] ?? 0) - monotonicMs();
  if (leftMs > 0) {
    // The call that tells of a new time may come after that time was seen: whatever ends the wait, look again.
    Atomics.wait(state, 0, seen, leftMs);
    continue;
  }
  rung = seen;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  port.postMessage(null);
}
