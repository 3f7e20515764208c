import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import type { TransferTask } from '@cachescope/model/transfer/task.ts';

/** A client that sends requests one after another: Chromium, or the control. */
export interface TransferClientAtWork {
  /** Performs all requests of a task. @throws when a request fails. */
  perform(task: TransferTask): Promise<TakenTransfer[]>;
  close(): Promise<void>;
}

/** Time limit of a task, ms: its bytes at 100 kB/s, its delays, and a reserve. */
export function taskLimitMs({ requests, responseBytes, serverDelayMs }: TransferTask): number {
  return 30_000 + requests * (responseBytes / 100 + serverDelayMs + 1000);
}
