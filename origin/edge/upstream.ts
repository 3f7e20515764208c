import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

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
   * and the answer. `body` is the request whose content goes along; how it is framed is decided here and nowhere else, so
   * that the upstream takes no part of it for a request of its own (RFC 9112 section 11.2).
   */
  ask(
    method: string,
    target: string,
    headers: IncomingHttpHeaders,
    { signal, body }: { signal: AbortSignal; body?: IncomingMessage | undefined },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { hostname, port, host } = this.#base;
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          headers: { ...withoutFraming(headers), ...framingOf(body), host, via: via(headers) },
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

/** Whether a request has content, by the fields that frame it (RFC 9112 section 6.3). */
export function hasContent({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Expect goes too: the edge's server has answered it. */
function withoutFraming(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': _length, 'transfer-encoding': _coding, expect: _, ...others } = headers;
  return others;
}

/** Said outright, as Node frames no content of GET, HEAD, DELETE and OPTIONS by itself. */
function framingOf(body: IncomingMessage | undefined): IncomingHttpHeaders {
  if (!body) return {};
  const length = body.headers['content-length'];
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
}

/** Via with this edge at its end (RFC 9110 section 7.6.3). */
export function via(headers: IncomingHttpHeaders): string {
  const former = headers.via;
  return `${former === undefined ? '' : `${former}, `}1.1 ${edgeName}`;
}
