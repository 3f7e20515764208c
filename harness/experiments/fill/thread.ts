// The origin or an edge in a thread of its own, so that neither takes the readers' time: they share no event loop.
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
