import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type InformationEvent,
  request,
  type RequestOptions,
} from 'node:http';
import { endToEnd } from './connection-fields.ts';

/** The edge's name in Via and Cache-Status. */
export const edgeName = 'cachescope-edge';

/** Time without data from the upstream after which a request fails, ms. */
export const idleLimitMs = 30_000;

/** Why a request went to the upstream (RFC 9211 section 2.2). */
export type ForwardReason = 'miss' | 'method' | 'request' | 'stale';

/** A forwarded request that got no response. Its message is that of the cause. */
export class ForwardError extends Error {
  readonly reason: ForwardReason;

  constructor(reason: ForwardReason, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = reason;
  }
}

/** The server behind an edge. */
export class Upstream {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true });

  /** `url`: scheme http, no path. */
  constructor(url: string) {
    this.#base = new URL(url);
  }

  /** The fields of a client's request as this upstream receives them, without those of the content's framing. */
  fieldsOf(request: IncomingHttpHeaders): IncomingHttpHeaders {
    return { ...withoutFraming(endToEnd(request)), host: this.#base.host, via: via(request) };
  }

  /**
   * Sends a request and settles with the header section of its response. `fields`: from `fieldsOf`. Rejects with a
   * ForwardError when there is no response that can be forwarded, however the exchange ends. Content framing is decided only here, so that the upstream cannot parse part of the content as another request (RFC 9112
   * section 11.2).
   *
   * An upstream may close a persistent connection at any time. So only a request that may be sent twice uses one, and
   * is retried once on a new connection when it got no response there (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1).
   */
  ask(
    method: string,
    target: string,
    fields: IncomingHttpHeaders,
    options: AskOptions,
  ): Promise<IncomingMessage> {
    const { hostname, port } = this.#base;
    const { body, signal, reason } = options;
    const asked = {
      hostname,
      port,
      method,
      path: target,
      headers: { ...fields, ...framingOf(body) },
      signal,
    };
    const mayRepeat = !body && repeatable.test(method);
    const agent = mayRepeat ? this.#agent : ownConnection;
    return send({ ...asked, agent }, options).catch((error: unknown) => {
      throw new ForwardError(reason, error);
    });
  }

  /** Closes the persistent connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** A request's body, and the handler of its interim responses. */
export interface AskOptions {
  /** Why it is forwarded. */
  reason: ForwardReason;
  /** Aborts both the request and the response. */
  signal: AbortSignal;
  /** The client's request, whose content is forwarded. */
  body?: IncomingMessage | undefined;
  /** Called with each interim response (RFC 9110 section 15.2), in order. */
  onInterim: (answer: InformationEvent) => void;
}

/** Idempotent methods (RFC 9110 section 9.2.2). */
const repeatable = /^(GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/;

/** The value of Node's `agent` option for a connection that no other request uses. */
const ownConnection = false;

/** Error codes for a connection closed by the peer. */
const closed: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

function send(asked: RequestOptions, options: AskOptions): Promise<IncomingMessage> {
  const { body, signal, onInterim } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(asked, (answer) => {
      const fault = faultOf(answer);
      if (fault === null) resolve(answer);
      else outgoing.destroy(new Error(fault));
    });
    let readBefore = 0;
    outgoing.once('socket', (socket) => (readBefore = socket.bytesRead));
    limitSilence(outgoing, body !== undefined);
    outgoing.on('information', (answer) => onInterim(answer));
    // Every exchange ends with it. Some have no other event, for example a switch of protocols that nobody asked for.
    outgoing.once('close', () => reject(new Error('the upstream ended without a response')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isUnanswered = outgoing.socket?.bytesRead === readBefore && !signal.aborted;
      if (outgoing.reusedSocket && isUnanswered && closed.has(error.code))
        resolve(send({ ...asked, agent: ownConnection }, options));
      else reject(error);
    });
    if (body) body.pipe(outgoing);
    else outgoing.end();
  });
}

/** Why a response cannot be forwarded; null: it can. */
function faultOf({ statusCode = 0, headers, httpVersion }: IncomingMessage): string | null {
  // The edge never forwards Upgrade, so 101 is not a valid answer (RFC 9110 sections 7.8 and 15).
  if (statusCode < 200) return `the upstream sent status ${statusCode}, which is no final one`;
  const coding = headers['transfer-encoding'];
  if (coding === undefined || (!isLeftCoded(coding) && httpVersion !== '1.0')) return null;
  return `the upstream sent the transfer coding ${coding} in HTTP/${httpVersion}`;
}

/**
 * Whether a Transfer-Encoding names a compression (RFC 9112 section 7.2). Node decodes chunks only: the content would be
 * forwarded and stored still compressed, without the field that says so.
 */
export function isLeftCoded(coding: string | undefined): boolean {
  return /\b(compress|deflate|gzip)\b/i.test(coding ?? '');
}

/**
 * Ends a request whose upstream is silent, or whose header section does not come while others may wait for it: interim
 * responses do not extend that time.
 * While the edge itself does not read, because its client does not, the time begins anew.
 */
function limitSilence(outgoing: ClientRequest, hasContent: boolean): void {
  let response: IncomingMessage | undefined;
  const late = () => outgoing.destroy(new Error(`no response came in ${idleLimitMs / 1000} s`));
  // Content may take longer to send.
  const limit = hasContent ? undefined : setTimeout(late, idleLimitMs);
  outgoing.once('response', (answer) => {
    clearTimeout(limit);
    response = answer;
  });
  outgoing.once('close', () => clearTimeout(limit));
  outgoing.once('socket', (socket) => {
    const onTimeout = () => {
      if (response?.isPaused()) socket.setTimeout(idleLimitMs);
      else outgoing.destroy(new Error(`the upstream was silent for ${idleLimitMs / 1000} s`));
    };
    // Not the event of the request, which Node emits once only.
    socket.setTimeout(idleLimitMs).on('timeout', onTimeout);
    outgoing.once('close', () => socket.off('timeout', onTimeout));
  });
}

/** Whether a request has content, according to its framing fields (RFC 9112 section 6.3). */
export function hasContent({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Expect is removed too: the edge's server has already answered it. */
function withoutFraming(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': _length, 'transfer-encoding': _coding, expect: _, ...others } = headers;
  return others;
}

/** Explicit, because Node adds no framing to the content of GET, HEAD, DELETE and OPTIONS. */
function framingOf(body: IncomingMessage | undefined): IncomingHttpHeaders {
  if (!body) return {};
  const length = body.headers['content-length'];
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
}

/** Via with this edge appended (RFC 9110 section 7.6.3). */
export function via(headers: IncomingHttpHeaders): string {
  const former = headers.via;
  return `${former === undefined ? '' : `${former}, `}1.1 ${edgeName}`;
}
