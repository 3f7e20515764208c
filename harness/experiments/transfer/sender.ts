import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import { largestResponseBytes, transferHeaders } from '@cachescope/model/transfer/task.ts';

/** When a request was sent and answered, ms by performance.now(), and what arrived. */
interface Exchange extends Pick<TakenTransfer, 'connectMs' | 'protocolName' | 'bodyBytes'> {
  start: number;
  sentAt: number;
  answeredAt: number;
  end: number;
  status: number | undefined;
  headers: IncomingHttpHeaders;
}

/** The measurement of an exchange. Throws when its status is not 200. */
function takenOf(url: string, exchange: Exchange): TakenTransfer {
  const { start, sentAt, answeredAt, end, status, headers } = exchange;
  const { connectMs, protocolName, bodyBytes } = exchange;
  if (status !== 200) throw new Error(`${url} returned status ${status}`);
  return {
    totalMs: end - start,
    connectMs,
    waitMs: answeredAt - sentAt,
    downloadMs: end - answeredAt,
    protocolName,
    bodyBytes,
    originConnection: headerNumber(headers[transferHeaders.connection]),
    originRequest: headerNumber(headers[transferHeaders.request]),
    originMs: headerNumber(headers[transferHeaders.originMs]),
  };
}

/** Reads a number from a response header; null: the header is missing, empty or no number. */
function headerNumber(value: string | string[] | undefined): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Counts the bytes of a body. A response that no origin of ours would send is destroyed with an error. */
function bodyCount(url: string, stream: NodeJS.EventEmitter & { destroy(error: Error): unknown }) {
  const count = { bytes: 0 };
  stream.on('data', (chunk: Buffer) => {
    count.bytes += chunk.byteLength;
    if (count.bytes > largestResponseBytes)
      stream.destroy(new Error(`${url} returned more than ${largestResponseBytes} bytes`));
  });
  return count;
}

/** Sends over HTTP/1.1, in cleartext or over TLS, with one connection at a time. */
export class Http1Sender {
  readonly #plain = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #secure: SecureAgent;

  constructor(certificate: string) {
    // TLS sessions are not resumed, so that each cold connection needs a full handshake.
    const pinned = { ca: certificate, servername: 'localhost', maxCachedSessions: 0 };
    this.#secure = new SecureAgent({ keepAlive: true, maxSockets: 1, ...pinned });
  }

  async send(url: string, body: Uint8Array): Promise<TakenTransfer> {
    return takenOf(url, await this.#exchange(url, body));
  }

  #exchange(url: string, body: Uint8Array): Promise<Exchange> {
    const secure = url.startsWith('https:');
    const options = {
      method: 'POST',
      agent: secure ? this.#secure : this.#plain,
      headers: { 'content-length': body.byteLength },
    };
    return new Promise((resolve, reject) => {
      const start = performance.now();
      const request = secure ? httpsRequest(url, options) : httpRequest(url, options);
      let connectMs: number | null = request.reusedSocket ? 0 : null;
      let sentAt = start;
      request.once('socket', (socket) => {
        if (request.reusedSocket) {
          connectMs = 0;
          return;
        }
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          sentAt = performance.now();
          connectMs = sentAt - start;
        });
      });
      request.once('error', reject).once('response', (response) => {
        const answeredAt = performance.now();
        const count = bodyCount(url, response);
        response.once('error', reject).once('end', () => {
          const times = { start, sentAt, answeredAt, end: performance.now(), connectMs };
          const { statusCode: status, headers, httpVersion, socket } = response;
          const protocolName = `http/${httpVersion}`;
          const exchange = { ...times, status, headers, protocolName, bodyBytes: count.bytes };
          // A connection that closes is awaited, so that the next request cannot queue on it.
          if (headers.connection === 'close' && !socket.destroyed)
            socket.once('close', () => resolve(exchange));
          else resolve(exchange);
        });
      });
      request.end(body);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/**
 * Chromium's flow-control windows (net/spdy/spdy_session.h and http_network_session.cc): 6 MiB per stream, 15 MiB per
 * connection.
 */
const streamWindowBytes = 6 * 1024 ** 2;
const connectionWindowBytes = 15 * 1024 ** 2;

/** Sends over HTTP/2 with one session at a time. */
export class Http2Sender {
  readonly #certificate: string;
  #session: ClientHttp2Session | null = null;

  constructor(certificate: string) {
    this.#certificate = certificate;
  }

  async send(url: string, body: Uint8Array): Promise<TakenTransfer> {
    const { origin, pathname, search } = new URL(url);
    const start = performance.now();
    const open = this.#session;
    const session = open ?? (await this.#connect(origin));
    const sentAt = open === null ? performance.now() : start;
    const answer = await ask(session, pathname + search, body);
    const times = { start, sentAt, end: performance.now(), connectMs: sentAt - start };
    return takenOf(url, { ...times, ...answer, protocolName: session.alpnProtocol ?? null });
  }

  close(): void {
    this.#session?.destroy();
    this.#session = null;
  }

  #connect(origin: string): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const session = connect(origin, {
        ca: this.#certificate,
        servername: 'localhost',
        // As in Chromium: a flow-control window that no response of these sizes fills (RFC 9113 section 6.9).
        settings: { initialWindowSize: streamWindowBytes },
      });
      const forget = () => {
        if (this.#session === session) this.#session = null;
      };
      session.once('goaway', forget).once('close', forget).once('error', reject);
      session.once('connect', () => {
        session.setLocalWindowSize(connectionWindowBytes);
        this.#session = session;
        resolve(session);
      });
    });
  }
}

function ask(
  session: ClientHttp2Session,
  path: string,
  body: Uint8Array,
): Promise<Pick<Exchange, 'answeredAt' | 'status' | 'headers' | 'bodyBytes'>> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-length': body.byteLength,
    });
    let headers: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    let answeredAt = 0;
    const count = bodyCount(path, stream);
    stream.once('response', (fields) => {
      headers = fields;
      answeredAt = performance.now();
    });
    stream.once('error', reject).once('end', () => {
      resolve({ answeredAt, status: headers[':status'], headers, bodyBytes: count.bytes });
    });
    stream.end(body);
  });
}
