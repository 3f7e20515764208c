import { MessageChannel, Worker } from 'node:worker_threads';

/** Memory that a generator and its ticker share. */
export interface Alarm {
  /** One Int32 that rises with each new due time. */
  state: SharedArrayBuffer;
  /** One Float64: the due time, `monotonicMs`. */
  dueMs: SharedArrayBuffer;
}

/** ms on a clock that all threads of a process share, and that nobody sets. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** An alarm clock that is right to a tenth of a millisecond. */
export interface AlarmClock {
  /** Asks to be called at that time, in place of the one asked for before; at once when it is past. */
  set(dueMs: number): void;
  close(): Promise<void>;
}

/** Starts an alarm clock; `ring` is called once for each time that was set, unless another was set before it came. */
export function startAlarmClock(ring: () => void): AlarmClock {
  const shared: Alarm = { state: new SharedArrayBuffer(4), dueMs: new SharedArrayBuffer(8) };
  const state = new Int32Array(shared.state);
  const due = new Float64Array(shared.dueMs);
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./ticker-thread.ts', import.meta.url), {
    workerData: { port: port2, shared },
    transferList: [port2],
  });
  port1.on('message', ring);
  return {
    set(dueMs) {
      due[0] = dueMs;
      Atomics.add(state, 0, 1);
      Atomics.notify(state, 0);
    },
    async close() {
      port1.close();
      await worker.terminate();
    },
  };
}
