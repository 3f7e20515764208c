import type { TransferMessage, TransferOrder } from '@cachescope/model/transfer/task.ts';
import { PageServer } from '../../lab/page-server.ts';
import { transferPage } from './page.ts';

/** Gives the page that sends requests its tasks, one after another. */
export class TransferTasks {
  readonly #server = new PageServer(transferPage, (message: TransferMessage) =>
    this.#next(message),
  );
  #message: PromiseWithResolvers<TransferMessage> = Promise.withResolvers();
  #give: ((order: TransferOrder) => void) | null = null;

  /** Starts to listen and returns the page's URL. */
  open(): Promise<string> {
    return this.#server.open();
  }

  /** Waits for the first message of the page. */
  ready(): Promise<TransferMessage> {
    return this.#message.promise;
  }

  /** Gives the waiting page its next task; settles with the result. */
  async give(order: TransferOrder): Promise<TransferMessage> {
    if (!this.#give) throw new Error('the page already has a task, or never connected');
    this.#message = Promise.withResolvers();
    this.#give(order);
    this.#give = null;
    return this.#message.promise;
  }

  /** Ends the page and its server. */
  async close(): Promise<void> {
    this.#give?.({ kind: 'end' });
    await this.#server.close();
  }

  #next(message: TransferMessage): Promise<TransferOrder> {
    const order = new Promise<TransferOrder>((resolve) => {
      this.#give = resolve;
    });
    this.#message.resolve(message);
    return order;
  }
}
