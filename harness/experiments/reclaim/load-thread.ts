// Runs the load generator in its own thread, so that no other work of the harness delays it. An error ends the thread.
import { parentPort, workerData } from 'node:worker_threads';
import { type Load, sendLoad } from './load.ts';
import type { LoadMessage } from './node.ts';

let isStopped = false;
parentPort?.on('message', () => (isStopped = true));
const tell = (message: LoadMessage): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(message);
};

await sendLoad(workerData as Load, {
  began: (epochMs) => tell({ kind: 'began', epochMs }),
  window: (window) => tell({ kind: 'window', window }),
  shouldStop: () => isStopped,
});
parentPort?.close();
