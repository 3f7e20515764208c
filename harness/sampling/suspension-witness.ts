import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Suspension } from './suspension.ts';

/** A message to the thread; it answers each, in order. */
export interface WatchRequest {
  kind: 'begin' | 'end';
  /** Number of the watch. */
  id: number;
  servers: readonly number[];
}

export interface WatchAnswer {
  id: number;
  /** Empty at the begin. */
  suspensions: Suspension[];
}

/** Finds out what did not run while something was timed: a process of this program, this program, or the machine. */
export interface SuspensionWitness extends AsyncDisposable {
  /**
   * Does something, and returns what did not run meanwhile; rejects as `work` does. Several may overlap.
   *
   * @param servers processes that are watched too although they are no descendants of this one.
   */
  during<Result>(
    work: () => Promise<Result>,
    servers?: readonly number[],
  ): Promise<{ result: Result; suspensions: Suspension[] }>;
}

/**
 * Starts the witness: a thread that is idle except during `during`. It attaches to nothing. It looks every 50 ms, so a
 * shorter read is not looked at while it lasts.
 */
export function startSuspensionWitness(): SuspensionWitness {
  const worker = new Worker(new URL('./suspension-thread.ts', import.meta.url));
  const failed = Promise.race([once(worker, 'error'), once(worker, 'exit')]).then(([reason]) => {
    // A thread that has ended never answers.
    throw reason instanceof Error ? reason : new Error('the suspension witness has ended');
  });
  failed.catch(() => undefined);
  const waiting = new Map<number, (suspensions: Suspension[]) => void>();
  worker.on('message', ({ id, suspensions }: WatchAnswer) => waiting.get(id)?.(suspensions));
  let watches = 0;

  function ask(request: WatchRequest): Promise<Suspension[]> {
    const answer = Promise.withResolvers<Suspension[]>();
    waiting.set(request.id, answer.resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(request);
    return Promise.race([answer.promise, failed]).finally(() => waiting.delete(request.id));
  }

  return {
    async during(work, servers = []) {
      const id = watches++;
      await ask({ kind: 'begin', id, servers });
      const end = () => ask({ kind: 'end', id, servers });
      try {
        const result = await work();
        return { result, suspensions: await end() };
      } catch (error) {
        // The thread would go on looking. When it has failed, it looks no more.
        await end().catch(() => undefined);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
