import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import type { TransferTask } from '@cachescope/model/transfer/task.ts';

/** Someone who sends requests one after another: Chromium, or the control. */
export interface TransferClientAtWork {
  /** Does a task to its end. @throws when a request fails. */
  perform(task: TransferTask): Promise<TakenTransfer[]>;
  close(): Promise<void>;
}

/** How long a task may take, ms: what its bytes would take at 100 kB/s, its delays, and time to spare. */
export function taskLimitMs({ requests, responseBytes, serverDelayMs }: TransferTask): number {
  return 30_000 + requests * (responseBytes / 100 + serverDelayMs + 1000);
}
