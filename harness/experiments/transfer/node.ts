import type { TakenTransfer, TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import { type TransferTask, transferUrl } from '@cachescope/model/transfer/task.ts';
import { withTimeLimit } from '../../time-limit.ts';
import { taskLimitMs, type TransferClientAtWork } from './client.ts';
import { Http1Sender } from './node-h1.ts';
import { Http2Sender } from './node-h2.ts';

/** Sends single requests over its own connections. */
export interface Sender {
  send(url: string, body: Uint8Array): Promise<TakenTransfer>;
  close(): void;
}

/** Creates the sender of a protocol; it accepts only the origin's certificate. */
export function senderOf(protocol: TransferProtocol, certificate: string): Sender {
  return protocol === 'h2' ? new Http2Sender(certificate) : new Http1Sender(certificate);
}

/**
 * The control: the same requests from Node, which has no browser around its sockets. An effect that Node shows too is
 * caused below the browser; an effect that it does not show is caused by the browser.
 */
export class NodeClient implements TransferClientAtWork {
  readonly #sender: Sender;

  constructor(protocol: TransferProtocol, certificate: string) {
    this.#sender = senderOf(protocol, certificate);
  }

  perform(task: TransferTask): Promise<TakenTransfer[]> {
    const what = `${task.requests} requests of Node to ${task.baseUrl}`;
    return withTimeLimit(what, taskLimitMs(task), this.#perform(task));
  }

  async #perform(task: TransferTask): Promise<TakenTransfer[]> {
    const cold = task.connection === 'cold';
    const body = new Uint8Array(task.requestBytes);
    const quick = { ...task, serverDelayMs: 0 };
    let number = 0;
    await this.#sender.send(transferUrl(quick, 0, number++, true), body);
    if (!cold) await this.#sender.send(transferUrl(quick, 0, number++, false), body);
    const taken: TakenTransfer[] = [];
    for (let request = 0; request < task.requests; request++) {
      const url = transferUrl(task, task.responseBytes, number++, cold);
      taken.push(await this.#sender.send(url, body));
    }
    return taken;
  }

  async close(): Promise<void> {
    this.#sender.close();
  }
}
