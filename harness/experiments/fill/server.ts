import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { EdgeMode } from '@cachescope/origin/edge/edge.ts';
import type { LoggedRequest } from '@cachescope/origin/request-log.ts';
import { warmUpPath } from '@cachescope/origin/workloads/urls.ts';
import { sleep } from 'zx';
import { CachescopeError } from '../../error.ts';
import type { LinkEnd } from '../../network/emulated-link.ts';

/** The server that a thread runs. */
export type ThreadTask = (
  | { kind: 'origin'; token: string }
  | { kind: 'edge'; upstream: string; mode: EdgeMode; limitBytes: number }
) & {
  /** The link over which it is reached, besides loopback; absent: none. */
  link?: LinkEnd | undefined;
};

/** A server in a thread. */
export type ThreadServer = Awaited<ReturnType<typeof startThread>>;

const warmUpRounds = 10;
const warmUpReaders = 30;

/** Sends an edge requests that are not streams: the first requests of a program wait until its code is compiled. */
async function warmUp(url: string): Promise<void> {
  for (let round = 0; round < warmUpRounds; round++) {
    const readers = Array.from({ length: warmUpReaders }, async () => {
      const answer = await fetch(`${url}${warmUpPath}?round=${round}`);
      return answer.arrayBuffer();
    });
    await Promise.all(readers);
  }
}

/** Starts a server in a thread and settles when it listens. */
export async function startThread(task: ThreadTask) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: task });
  const failed = new Promise<never>((_, reject) => {
    const end = (message: string, cause?: unknown) =>
      reject(
        new CachescopeError('CS_FILL_SERVER', `the ${task.kind} ended: ${message}`, { cause }),
      );
    worker.once('error', (error: Error) => end(error.message, error));
    worker.once('exit', (code) => end(`exit code ${code}`));
  });
  // Callers that await it get the rejection; a rejection that nobody awaits yet is not an error.
  failed.catch(() => undefined);
  const listens = new Promise<string>((resolve) => worker.once('message', resolve));
  const url = await Promise.race([listens, failed]);
  try {
    if (task.kind === 'edge') await warmUp(url);
  } catch (error) {
    // A thread that nobody can close would keep the program from ending.
    await worker.terminate();
    throw error;
  }
  return {
    url,
    /** Rejects when the thread ends on its own, and otherwise never settles. */
    failed,
    /**
     * Starts a measurement; the returned function gives the share of time since then that the thread's event loop was
     * busy, 0 to 1.
     */
    watchBusy() {
      const before = worker.performance.eventLoopUtilization();
      return () => worker.performance.eventLoopUtilization(before).utilization;
    },
    close: async (): Promise<void> => void (await worker.terminate()),
  };
}

/** The origin of a run and its log. */
export type FillOrigin = Awaited<ReturnType<typeof startFillOrigin>>;

/** Time in which requests must end after their readers have ended, ms. */
const settleLimitMs = 5_000;

/** Starts the origin; its log is read through its control route. `link`: see ThreadTask. */
export async function startFillOrigin(link?: LinkEnd) {
  const token = randomBytes(24).toString('base64url');
  const server = await startThread({ kind: 'origin', token, link });
  return { ...server, ...fillLog(server.url, token) };
}

/** The requests for streams that reached the origin at `url`, from its log, read through its control route with the token. */
export function fillLog(url: string, token: string) {
  const log = async (since: number) => {
    const answer = await fetch(`${url}/control/log?since=${since}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.ok) return (await answer.json()) as { mark: number; requests: LoggedRequest[] };
    throw new CachescopeError(
      'CS_FILL_LOG',
      `the origin's log no longer has all requests from ${since} on, where this trial began: the number of requests to the origin is unknown`,
      {
        hint: 'Use a shorter --time, fewer --workers or a larger --size, for fewer requests.',
      },
    );
  };
  const streams = async (mark: number) => {
    const { requests } = await log(mark);
    return requests.filter(({ path }) => path.startsWith('/streams/'));
  };
  return {
    /** The current position in the log. It has no requests after this index, so the response contains none. */
    mark: async () => (await log(Number.MAX_SAFE_INTEGER)).mark,
    /**
     * Requests since a mark, once all of them have ended. After 5 s, unfinished requests are returned as they are.
     *
     * @throws CachescopeError CS_FILL_LOG when the origin has dropped some of them: its log has a limited capacity.
     */
    async since(mark: number) {
      const end = Date.now() + settleLimitMs;
      for (;;) {
        const requests = await streams(mark);
        if (requests.every(({ bodyBytes }) => bodyBytes !== null) || Date.now() > end)
          return requests;
        await sleep(20);
      }
    },
  };
}
