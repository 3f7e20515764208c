import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isolationHeaders } from '@cachescope/origin/routes/pages.ts';
import { messageOf } from '../error.ts';

/** Maximum size of a page's message, bytes: enough for a hundred thousand responses. */
const largestMessageBytes = 20_000_000;

/**
 * The server of a page that measures, on loopback and separate from the origin, so that neither the page nor its tasks
 * open a connection to the origin. It serves one page at an unguessable URL; each message of the page is answered with
 * its next task.
 */
export class PageServer<Message, Order> {
  readonly #agent = randomUUID();
  readonly #page: () => string;
  readonly #answer: (message: Message) => Promise<Order> | Order;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(page: () => string, answer: (message: Message) => Promise<Order> | Order) {
    this.#page = page;
    this.#answer = answer;
  }

  /**
   * Starts to listen; returns the page's URL. `host` is the address of this machine where a browser finds it that is told
   * to look up 127.0.0.1 there; default 127.0.0.1 itself.
   */
  async open(host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, host, resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/page/${this.#agent}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (type: string, body: string): void => {
      const headers = { 'content-type': type, 'cache-control': 'no-store' };
      response.writeHead(200, { ...isolationHeaders, ...headers }).end(body);
    };
    try {
      if (request.method === 'GET' && request.url === `/page/${this.#agent}`) {
        send('text/html; charset=utf-8', this.#page());
      } else if (request.method === 'POST' && request.url === `/message/${this.#agent}`) {
        if (Number(request.headers['content-length'] ?? 0) > largestMessageBytes)
          throw new Error('the message is too long');
        const order = await this.#answer(JSON.parse(await text(request)) as Message);
        send('application/json', JSON.stringify(order));
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(400).end(messageOf(error));
    }
  }
}
