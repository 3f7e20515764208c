import { Worker } from 'node:worker_threads';

/** Memory shared by a generator and its ticker. */
export interface Alarm {
  /** One Int32 that increases with each new due time. */
  state: SharedArrayBuffer;
  /** One Float64: the due time, `monotonicMs`. */
  dueMs: SharedArrayBuffer;
}

/** Time of the monotonic clock that all threads of a process share, ms. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** An alarm clock that is accurate to 0.1 ms. */
export interface AlarmClock {
  /** Sets the time of the next call, replacing the previous one; a past time calls immediately. */
  set(dueMs: number): void;
  close(): Promise<void>;
}

/**
 * Starts an alarm clock; `ring` is called once for each time that was set, unless that time was replaced before it
 * came.
 */
export function startAlarmClock(ring: () => void): AlarmClock {
  const shared: Alarm = { state: new SharedArrayBuffer(4), dueMs: new SharedArrayBuffer(8) };
  const state = new Int32Array(shared.state);
  const due = new Float64Array(shared.dueMs);
  const worker = new Worker(new URL('./ticker-thread.ts', import.meta.url), { workerData: shared });
  worker.on('message', ring);
  return {
    set(dueMs) {
      due[0] = dueMs;
      Atomics.add(state, 0, 1);
      Atomics.notify(state, 0);
    },
    close: async () => void (await worker.terminate()),
  };
}
