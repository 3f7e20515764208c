import { Agent, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import { largestResponseBytes, transferHeaders } from '@cachescope/model/transfer/task.ts';

/** Reads a number from a response header; null: the header is missing, empty or no number. */
export function headerNumber(value: string | string[] | undefined): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The error for a response that no origin of ours would send. */
export function endless(url: string): Error {
  return new Error(`${url} returned more than ${largestResponseBytes} bytes`);
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

  send(url: string, body: Uint8Array): Promise<TakenTransfer> {
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
        let bodyBytes = 0;
        response.on('data', (chunk: Buffer) => {
          bodyBytes += chunk.byteLength;
          if (bodyBytes > largestResponseBytes) response.destroy(endless(url));
        });
        response.once('error', reject).once('end', () => {
          const end = performance.now();
          if (response.statusCode !== 200)
            return reject(new Error(`${url} returned status ${response.statusCode}`));
          const numberOf = (name: string) => headerNumber(response.headers[name]);
          const close = response.headers.connection === 'close';
          const taken: TakenTransfer = {
            totalMs: end - start,
            connectMs,
            waitMs: answeredAt - sentAt,
            downloadMs: end - answeredAt,
            protocolName: `http/${response.httpVersion}`,
            bodyBytes,
            originConnection: numberOf(transferHeaders.connection),
            originRequest: numberOf(transferHeaders.request),
            originMs: numberOf(transferHeaders.originMs),
          };
          // A connection that closes is awaited, so that the next request cannot queue on it.
          if (close && !response.socket.destroyed)
            response.socket.once('close', () => resolve(taken));
          else resolve(taken);
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
