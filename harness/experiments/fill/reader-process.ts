// The readers at the other end of a link, in a process of their own. The first order is a task; `stop` lets readers begin no
// more requests, `abort` ends them.
import { answerOrders } from '../../network/far-program.ts';
import { type FillTask, readBusy } from './client.ts';

/** A line of its input. */
export type ReaderOrder =
  | { kind: 'read'; task: Omit<FillTask, 'shouldStop' | 'signal'> }
  | { kind: 'stop' }
  | { kind: 'abort' };

const abort = new AbortController();
let isStopped = false;

answerOrders((line) => {
  const order = line as ReaderOrder;
  if (order.kind === 'read')
    return readBusy({ ...order.task, shouldStop: () => isStopped, signal: abort.signal });
  isStopped = true;
  if (order.kind === 'abort') abort.abort();
  return undefined;
});
