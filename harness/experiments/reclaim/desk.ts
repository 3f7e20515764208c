import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isolationHeaders } from '@cachescope/origin/routes/pages.ts';
import { messageOf } from '../../error.ts';
import type { PageMessage, PageOrder } from './page-task.ts';
import { reclaimPage } from './page.ts';

/** Most that a page hands over at once, bytes: a hundred thousand answers, generously. */
const largestMessageBytes = 20_000_000;

/** Answers what the page says with its next order. */
export type DeskAnswer = (message: PageMessage) => Promise<PageOrder> | PageOrder;

/**
 * The server of the page that attacks, on loopback: apart from the origin under load, so that neither the page nor its
 * orders open a connection there. It serves one page, by a name that nobody can guess.
 */
export class ReclaimDesk {
  readonly #agent = randomUUID();
  readonly #answer: DeskAnswer;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(answer: DeskAnswer) {
    this.#answer = answer;
  }

  /** Starts to listen; returns the page's URL. */
  async open(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/page/${this.#agent}`;
  }

  async close(): Promise<void> {
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
        response.end(reclaimPage());
      } else if (request.method === 'POST' && request.url === `/desk/${this.#agent}`) {
        if (Number(request.headers['content-length'] ?? 0) > largestMessageBytes)
          throw new Error('the message is too long');
        const order = await this.#answer(JSON.parse(await text(request)) as PageMessage);
        response.writeHead(200, {
          'content-type': 'application/json',
          'cache-control': 'no-store',
        });
        response.end(JSON.stringify(order));
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(400).end(messageOf(error));
    }
  }
}
