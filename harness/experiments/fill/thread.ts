// Runs the origin or an edge in its own thread, with its own event loop, so that it takes no time from the readers.
import { parentPort, workerData } from 'node:worker_threads';
import { startEdge } from '@cachescope/origin/edge/server.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { listenToo } from '../../network/second-address.ts';
import type { ThreadTask } from './server.ts';

const { link, ...task } = workerData as ThreadTask;
const { url, server } =
  task.kind === 'origin'
    ? await startOrigin({ workloads: [], token: task.token })
    : await startEdge(task);
if (link) await listenToo(server.server, link);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(url);
