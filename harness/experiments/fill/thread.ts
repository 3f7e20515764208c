// Runs the origin or an edge in its own thread, with its own event loop, so that it takes no time from the readers.
import { parentPort, workerData } from 'node:worker_threads';
import { startEdge } from '@cachescope/origin/edge/server.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import type { ThreadTask } from './server.ts';

const task = workerData as ThreadTask;
const server =
  task.kind === 'origin'
    ? await startOrigin({ workloads: [], token: task.token })
    : await startEdge(task);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(server.url);
