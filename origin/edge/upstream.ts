import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type InformationEvent,
  request,
  type RequestOptions,
} from 'node:http';

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
   * Sends a request and settles with the head of its answer. Rejects when none comes. How content is framed is decided here
   * and nowhere else, so that the upstream takes no part of it for a request of its own (RFC 9112 section 11.2).
   *
   * An upstream may close a kept connection at any time. So only a request that may be sent twice uses one, and is sent
   * once more on a connection of its own when it got no answer there (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1).
   */
  ask(
    method: string,
    target: string,
    headers: IncomingHttpHeaders,
    options: AskOptions,
  ): Promise<IncomingMessage> {
    const { hostname, port, host } = this.#base;
    const { body, signal } = options;
    const asked = {
      hostname,
      port,
      method,
      path: target,
      headers: { ...withoutFraming(headers), ...framingOf(body), host, via: via(headers) },
      signal,
      timeout: idleLimitMs,
    };
    const mayRepeat = !body && repeatable.has(method);
    return send({ ...asked, agent: mayRepeat ? this.#agent : ownConnection }, options);
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }
}

/** A request's body, and who handles its interim responses. */
export interface AskOptions {
  /** Gives up both the request and the answer. */
  signal: AbortSignal;
  /** The request whose content goes along. */
  body?: IncomingMessage | undefined;
  /** Called with each interim response (RFC 9110 section 15.2), in order. */
  onInterim: (answer: InformationEvent) => void;
}

/** Idempotent methods (RFC 9110 section 9.2.2). */
const repeatable: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'DELETE',
]);

/** Node's word for a connection that no other request uses. */
const ownConnection = false;

/** The edge sends no Upgrade on, so that this is no answer to it (RFC 9110 section 7.8). */
const switchingProtocols = 101;

/** Codes of the errors when the other side has closed a connection. */
const closed: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

function send(asked: RequestOptions, options: AskOptions): Promise<IncomingMessage> {
  const { body, signal, onInterim } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(asked, (answer) => {
      if (answer.statusCode !== switchingProtocols) return resolve(answer);
      outgoing.destroy(new Error('the upstream switched protocols, which nobody had asked it to'));
    });
    let readBefore = 0;
    outgoing.once('socket', (socket) => (readBefore = socket.bytesRead));
    outgoing.on('information', (answer) => onInterim(answer));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isUnanswered = outgoing.socket?.bytesRead === readBefore && !signal.aborted;
      if (outgoing.reusedSocket && isUnanswered && closed.has(error.code))
        resolve(send({ ...asked, agent: ownConnection }, options));
      else reject(error);
    });
    outgoing.once('timeout', () =>
      outgoing.destroy(new Error(`the upstream was silent for ${idleLimitMs / 1000} s`)),
    );
    if (body) body.pipe(outgoing);
    else outgoing.end();
  });
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
