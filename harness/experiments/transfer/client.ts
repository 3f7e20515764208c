import { setTimeout as sleep } from 'node:timers/promises';
import type { TakenTransfer, TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import { type TransferTask, transferUrls } from '@cachescope/model/transfer/task.ts';
import { withTimeLimit } from '../../time-limit.ts';
import { Http1Sender, Http2Sender } from './sender.ts';

/** A client that sends requests one after another: Chromium, or the control. */
export interface TransferClientAtWork {
  /** Performs all requests of a task. @throws when a request fails. */
  perform(task: TransferTask): Promise<TakenTransfer[]>;
  close(): Promise<void>;
}

/** Time limit of a task, ms: its bytes at 100 kB/s, its delays, and a reserve. */
export function taskLimitMs({
  requests,
  responseBytes,
  serverDelayMs,
  pauseMs,
}: TransferTask): number {
  return 30_000 + requests * (responseBytes / 100 + serverDelayMs + pauseMs + 1000);
}

/**
 * The control: the same requests from Node, which has no browser around its sockets. An effect that Node shows too is
 * caused below the browser; an effect that it does not show is caused by the browser. It accepts only the origin's
 * certificate.
 */
export function nodeClient(protocol: TransferProtocol, certificate: string): TransferClientAtWork {
  const sender = protocol === 'h2' ? new Http2Sender(certificate) : new Http1Sender(certificate);
  const sendAll = async (task: TransferTask) => {
    const body = new Uint8Array(task.requestBytes);
    const { untimed, timed } = transferUrls(task, 0);
    for (const url of untimed) await sender.send(url, body);
    const taken: TakenTransfer[] = [];
    for (const url of timed) {
      if (task.pauseMs > 0) await sleep(task.pauseMs);
      taken.push(await sender.send(url, body));
    }
    return taken;
  };
  return {
    perform(task) {
      const what = `${task.requests} requests of Node to ${task.baseUrl}`;
      return withTimeLimit(what, taskLimitMs(task), sendAll(task));
    },
    close: async () => sender.close(),
  };
}
