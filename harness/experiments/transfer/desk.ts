import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TransferMessage, TransferOrder } from '@cachescope/model/transfer/task.ts';
import { isolationHeaders } from '@cachescope/origin/routes/pages.ts';
import { messageOf } from '../../error.ts';
import { transferPage } from './page.ts';

/** Most that a page hands over, bytes: ten thousand requests, generously. */
const largestMessageBytes = 10_000_000;

/**
 * The server of the page that sends requests, on loopback: apart from the origin that is measured, so that neither the page
 * nor its orders open a connection there. It serves one page, by a name that nobody can guess.
 */
export class TransferDesk {
  readonly #agent = randomUUID();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #message: PromiseWithResolvers<TransferMessage> = Promise.withResolvers();
  #give: ((order: TransferOrder) => void) | null = null;

  /** Starts to listen; returns the page's URL. */
  async open(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/page/${this.#agent}`;
  }

  /** Waits for the page's first word. */
  ready(): Promise<TransferMessage> {
    return this.#message.promise;
  }

  /** Gives the waiting page its next order; settles with what it hands over. */
  async give(order: TransferOrder): Promise<TransferMessage> {
    if (!this.#give) throw new Error('the page already has a task, or never connected');
    this.#message = Promise.withResolvers();
    this.#give(order);
    this.#give = null;
    return this.#message.promise;
  }

  /** Sends the page away, and ends. */
  async close(): Promise<void> {
    this.#give?.({ kind: 'end' });
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'GET' && request.url === `/page/${this.#agent}`) {
        response.writeHead(200, {
          ...isolationHeaders,
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
        });
        response.end(transferPage());
      } else if (request.method === 'POST' && request.url === `/desk/${this.#agent}`) {
        await this.#take(request, response);
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(400).end(messageOf(error));
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (Number(request.headers['content-length'] ?? 0) > largestMessageBytes)
      throw new Error('the message is too long');
    const message = JSON.parse(await text(request)) as TransferMessage;
    const order = new Promise<TransferOrder>((resolve) => {
      this.#give = resolve;
    });
    this.#message.resolve(message);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(await order));
  }
}
