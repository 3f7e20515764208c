import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import { largestResponseBytes, transferHeaders } from '@cachescope/model/transfer/task.ts';
import { endless, headerNumber } from './node-h1.ts';

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
    const end = performance.now();
    const { headers, answeredAt, bodyBytes } = answer;
    if (headers[':status'] !== 200) throw new Error(`${url} returned status ${headers[':status']}`);
    const numberOf = (name: string) => headerNumber(headers[name]);
    return {
      totalMs: end - start,
      connectMs: sentAt - start,
      waitMs: answeredAt - sentAt,
      downloadMs: end - answeredAt,
      protocolName: session.alpnProtocol ?? null,
      bodyBytes,
      originConnection: numberOf(transferHeaders.connection),
      originRequest: numberOf(transferHeaders.request),
      originMs: numberOf(transferHeaders.originMs),
    };
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

/**
 * Chromium's flow-control windows (net/spdy/spdy_session.h and http_network_session.cc): 6 MiB per stream, 15 MiB per
 * connection.
 */
const streamWindowBytes = 6 * 1024 ** 2;
const connectionWindowBytes = 15 * 1024 ** 2;

interface Answer {
  headers: IncomingHttpHeaders & { ':status'?: number };
  answeredAt: number;
  bodyBytes: number;
}

function ask(session: ClientHttp2Session, path: string, body: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-length': body.byteLength,
    });
    let headers: IncomingHttpHeaders = {};
    let answeredAt = 0;
    let bodyBytes = 0;
    stream.once('response', (fields) => {
      headers = fields;
      answeredAt = performance.now();
    });
    stream.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.byteLength;
      if (bodyBytes > largestResponseBytes) stream.destroy(endless(path));
    });
    stream.once('error', reject).once('end', () => resolve({ headers, answeredAt, bodyBytes }));
    stream.end(body);
  });
}
