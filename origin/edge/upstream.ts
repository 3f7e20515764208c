import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';

/** The edge's name in Via and Cache-Status. */
export const edgeName = 'cachescope-edge';

/** An upstream that is silent for so long is given up, ms. */
const idleLimitMs = 30_000;

/** The server that an edge stands before. */
export class Upstream {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true });

  /** `url`: scheme http, no path. */
  constructor(url: string) {
    this.#base = new URL(url);
  }

  /**
   * Sends a request and settles with the head of its answer. Rejects when none comes. `signal` gives up both the request
   * and the answer.
   */
  ask(
    method: string,
    target: string,
    headers: IncomingHttpHeaders,
    { signal, body }: { signal: AbortSignal; body?: Readable | undefined },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { hostname, port, host } = this.#base;
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          headers: { ...headers, host, via: via(headers) },
          agent: this.#agent,
          signal,
          timeout: idleLimitMs,
        },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.once('timeout', () =>
        outgoing.destroy(new Error(`the upstream was silent for ${idleLimitMs / 1000} s`)),
      );
      if (body) body.pipe(outgoing);
      else outgoing.end();
    });
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }
}

/** Via with this edge at its end (RFC 9110 section 7.6.3). */
export function via(headers: IncomingHttpHeaders): string {
  const former = headers.via;
  return `${former === undefined ? '' : `${former}, `}1.1 ${edgeName}`;
}
